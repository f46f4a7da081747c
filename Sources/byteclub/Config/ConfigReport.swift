/// What reading the settings gave.
struct ConfigReport: Sendable {
  /// The settings; where something was wrong, as if it had not been said.
  var config = Config()
  /// What is odd, but does not hinder: whole sentences.
  var warnings: [String] = []
  /// What is wrong: whole sentences that say where, what was found, and what is allowed.
  var faults: [String] = []
  /// Whether there was a config file.
  var hasFile = false

  /// The settings.
  /// - Throws: all that is wrong, a line each.
  func checked() throws(ConfigFault) -> Config {
    guard faults.isEmpty else { throw ConfigFault(faults.joined(separator: "\n")) }
    return config
  }
}
