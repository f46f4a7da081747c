import FileStores

/// How the program ends, for scripts. The one table that the program, its manual and its tests go by.
enum ExitStatus: Int32, CaseIterable, Sendable {
  case done = 0
  case failed = 1
  case wrongUsage = 2
  case notSignedIn = 3
  case notFound = 4
  case conflict = 5
  case temporary = 6
  case refused = 7
  case partlyFailed = 8
  case interrupted = 130

  /// What it means, for the manual.
  var meaning: String {
    switch self {
    case .done: "done"
    case .failed: "failed for another reason than those below"
    case .wrongUsage: "wrong usage: the command line or the config is not right"
    case .notSignedIn: "not signed in"
    case .notFound: "what was named is not there"
    case .conflict: "conflict: it has changed meanwhile, or the name is taken"
    case .temporary: "temporary: the store cannot be reached or asks to wait"
    case .refused: "not permitted, or no room is left"
    case .partlyFailed: "some of several things failed, others are done"
    case .interrupted: "interrupted"
    }
  }

  /// How an error of this kind ends the program.
  init(_ kind: StoreError.Kind) {
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
