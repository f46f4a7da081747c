/// How byteclub and byteclub-serve end, for scripts. The one table that both, the manual and the tests go by.
public enum ExitStatus: Int32, CaseIterable, Sendable {
  /// All went well.
  case done = 0
  /// It failed for a reason that has no code of its own.
  case failed = 1
  /// The command line or the config is wrong.
  case wrongUsage = 2
  /// The member is not signed in.
  case notSignedIn = 3
  /// What was named is not there.
  case notFound = 4
  /// It has changed meanwhile, or the name is taken.
  case conflict = 5
  /// It may go well in a while.
  case temporary = 6
  /// It is not permitted, or there is no room.
  case refused = 7
  /// Some of several things failed.
  case partlyFailed = 8
  /// The member has interrupted it.
  case interrupted = 130

  /// What it means, for the manual.
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

  /// How an error of this kind ends the program.
  public init(_ kind: StoreError.Kind) {
    self =
      switch kind {
      case .notFound: .notFound
      case .conflict, .exists: .conflict
      case .notSignedIn: .notSignedIn
      case .notPermitted, .quota: .refused
      case .rateLimited, .offline: .temporary
      case .badName, .badInput, .tooLarge, .corrupt, .unsupported, .server: .failed
      case .cancelled: .interrupted
      }
  }
}
