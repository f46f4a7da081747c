internal import Transfers

/// Verbs after `transfer`. The app waits and runs by itself, so it has no `wait` and `run`.
enum TransferVerb: Sendable, Equatable {
  /// Each transfer is named by its id.
  enum Word: String, CaseIterable {
    case pause, resume, cancel, retry, dismiss

    func command(_ id: Transfer.ID) -> TransferCommand {
      switch self {
      case .pause: .pause(id)
      case .resume: .resume(id)
      case .cancel: .cancel(id)
      case .retry: .retry(id)
      case .dismiss: .dismiss(id)
      }
    }
  }

  case list
  case say(Word, [String])
  case move(String, TransferMove)
  case limit(UInt64?)

  static let verbs = (Word.allCases.map(\.rawValue) + ["ls", "move", "limit"]).sorted()

  static func takesID(after words: ArraySlice<String>) -> Bool {
    guard words.count >= 2, words.first == "transfer", let verb = words.dropFirst().first else { return false }
    return verb == "move" ? words.count == 2 : Word(rawValue: verb) != nil
  }

  /// Except ids.
  static func following(_ words: ArraySlice<String>) -> [String] {
    switch Array(words.dropFirst()) {
    case []: verbs
    case let rest where rest.first == "move" && rest.count == 2: TransferMove.allCases.map(\.rawValue)
    case ["limit"]: ["off"]
    default: []
    }
  }

  init(_ words: ArraySlice<String>) throws(TypedCommand.Fault) {
    let rest = Array(words.dropFirst())
    switch words.first {
    case "ls":
      guard rest.isEmpty else { throw .usage("transfer ls") }
      self = .list
    case "move":
      guard rest.count == 2, let move = TransferMove(rawValue: rest[1]) else {
        throw .usage("transfer move ID up|down|first|last")
      }
      self = .move(rest[0], move)
    case "limit":
      guard !rest.isEmpty, let limit = ByteRate(rest.joined(separator: " ")) else {
        throw .usage("transfer limit RATE|off, such as 500K or 2M a second")
      }
      self = .limit(limit.bytesPerSecond)
    default:
      guard let word = words.first.flatMap(Word.init(rawValue:)) else { throw .unknown }
      guard !rest.isEmpty else { throw .usage("transfer \(word.rawValue) ID...") }
      self = .say(word, rest)
    }
  }
}
