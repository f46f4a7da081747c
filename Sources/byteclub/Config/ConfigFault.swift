/// Why the program cannot go on with what it was told on the command line, in variables or in the config. The exit
/// code is that of wrong usage.
struct ConfigFault: Error, Equatable, CustomStringConvertible {
  /// Whole sentences: what is wrong, where, and what is allowed.
  let description: String

  /// Wraps sentences.
  init(_ description: String) { self.description = description }
}
