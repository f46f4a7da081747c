import Transfers

/// A `TransferCommand` as it is told to other processes.
enum CommandForm: Codable, Sendable, Hashable {
  case pause(id: String)
  case resume(id: String)
  case cancel(id: String)
  case retry(id: String)
  case move(id: String, to: Move)
  case dismiss(id: String)
  case acknowledge(id: String)
  case pauseAll
  case resumeAll
  case cancelAll
  case dismissFinished
  case limit(bytesPerSecond: UInt64?)
  case concurrency(count: Int)

  enum Move: String, Codable, Sendable {
    case up, down, first, last

    init(_ move: TransferMove) {
      self =
        switch move {
        case .up: .up
        case .down: .down
        case .first: .first
        case .last: .last
        }
    }
  }

  init(_ command: TransferCommand) {
    self =
      switch command {
      case .pause(let id): .pause(id: id)
      case .resume(let id): .resume(id: id)
      case .cancel(let id): .cancel(id: id)
      case .retry(let id): .retry(id: id)
      case .move(let id, let move): .move(id: id, to: Move(move))
      case .dismiss(let id): .dismiss(id: id)
      case .acknowledge(let id): .acknowledge(id: id)
      case .pauseAll: .pauseAll
      case .resumeAll: .resumeAll
      case .cancelAll: .cancelAll
      case .dismissFinished: .dismissFinished
      case .limit(let rate): .limit(bytesPerSecond: rate)
      case .concurrency(let count): .concurrency(count: count)
      }
  }

  var command: TransferCommand {
    switch self {
    case .pause(let id): .pause(id)
    case .resume(let id): .resume(id)
    case .cancel(let id): .cancel(id)
    case .retry(let id): .retry(id)
    case .move(let id, .up): .move(id, .up)
    case .move(let id, .down): .move(id, .down)
    case .move(let id, .first): .move(id, .first)
    case .move(let id, .last): .move(id, .last)
    case .dismiss(let id): .dismiss(id)
    case .acknowledge(let id): .acknowledge(id)
    case .pauseAll: .pauseAll
    case .resumeAll: .resumeAll
    case .cancelAll: .cancelAll
    case .dismissFinished: .dismissFinished
    case .limit(let rate): .limit(rate)
    case .concurrency(let count): .concurrency(count)
    }
  }
}
