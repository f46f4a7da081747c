internal import CPlatform

/// The words that started this program.
public enum ProgramArguments {
  /// The name and the arguments, from the C library. Swift's `CommandLine` is empty if a library that was loaded before
  /// (LD_PRELOAD) has changed the environment.
  public static var words: [String] {
    var count: Int32 = 0
    guard let words = cp_arguments(&count) else { return CommandLine.arguments }
    return (0..<Int(count)).compactMap { place in words[place].map { String(cString: $0) } }
  }
}
