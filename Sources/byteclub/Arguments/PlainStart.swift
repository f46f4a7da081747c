/// The start that matters most, known at a glance: the app, with at most a folder or club and a config file.
///
/// ArgumentParser takes 1.5 ms for any arguments, as it looks at the properties of all commands at run time; that is a
/// tenth of the time until 10,000 notes are on the screen. Whatever is not plain is still parsed, and judged, by it.
enum PlainStart {
  /// What `RootCommand` would find in the arguments; nil when it is to look itself.
  static func options(_ arguments: [String]) -> StartOptions? {
    guard arguments.count.isMultiple(of: 2) else { return nil }
    var found: [String: String] = [:]
    for place in stride(from: 0, to: arguments.count, by: 2) {
      let (name, value) = (arguments[place], arguments[place + 1])
      guard ["--config", "--club", "--folder"].contains(name), found[name] == nil else { return nil }
      guard !value.isEmpty, !value.hasPrefix("-") else { return nil }
      found[name] = value
    }
    guard found["--club"] == nil || found["--folder"] == nil else { return nil }
    return StartOptions(config: found["--config"], club: found["--club"], folder: found["--folder"])
  }
}
