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

  /// What the text means as it stands.
  public enum Meaning: Sendable, Hashable {
    /// Nothing that is there.
    case nothing
    /// A directory.
    case folder
    /// These files: one, or those that wildcards match, or several that were dropped.
    case files([String])
  }

  /// What begins as was typed, sorted by name; with several files as the meaning, those.
  public let choices: [Choice]
  /// The longest beginning that all have; what was typed when there is none.
  public let common: String
  /// Why nothing could be read, in a sentence.
  public let problem: String?
  /// What the text means as it stands.
  public let meaning: Meaning

  /// Makes a completion.
  public init(choices: [Choice], common: String, problem: String? = nil, meaning: Meaning = .nothing) {
    self.choices = choices
    self.common = common
    self.problem = problem
    self.meaning = meaning
  }

  /// The files that the text means together; empty when it means one thing, or none.
  var several: [String] {
    if case .files(let paths) = meaning, paths.count > 1 { paths } else { [] }
  }
}
