/// The exit statuses of byteclub and byteclub-serve: the one table that both, the manual and the tests use.
public enum ExitStatus: Int32, CaseIterable, Sendable {
  case done = 0
  case failed = 1
  case wrongUsage = 2
  case notSignedIn = 3
  case notFound = 4
  /// The thing has changed meanwhile, or the name is taken.
  case conflict = 5
  case temporary = 6
  case refused = 7
  case partlyFailed = 8
  case interrupted = 130

  public var meaning: String {
    switch self {
    case .done: "done"
    case .failed: "failed for a reason that is not listed below"
    case .wrongUsage: "wrong usage: the command line or the config is wrong"
    case .notSignedIn: "not signed in"
    case .notFound: "not found"
    case .conflict: "conflict: changed in the meantime, or the name is taken"
    case .temporary: "temporary: the store does not answer or asks to wait"
    case .refused: "not permitted, or no space left"
    case .partlyFailed: "some of several failed, the others are done"
    case .interrupted: "interrupted"
    }
  }
}
