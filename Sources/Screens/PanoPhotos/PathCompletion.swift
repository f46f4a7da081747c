/// What a typed path could become.
public struct PathCompletion: Sendable, Hashable {
  /// One possibility.
  public struct Choice: Sendable, Hashable {
    /// The whole path as it would be typed.
    public let path: String
    /// Whether it is a directory.
    public let isDirectory: Bool
    /// Makes a possibility.
    public init(path: String, isDirectory: Bool) {
      self.path = path
      self.isDirectory = isDirectory
    }
  }

  /// What begins as was typed, sorted by name.
  public let choices: [Choice]
  /// The longest beginning that all have; what was typed when there is none.
  public let common: String
  /// Why nothing could be read, in a sentence.
  public let problem: String?

  /// Makes a completion.
  public init(choices: [Choice], common: String, problem: String? = nil) {
    self.choices = choices
    self.common = common
    self.problem = problem
  }
}
