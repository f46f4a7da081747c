internal import TextUI

extension ListState {
  /// Handles a list command; false for other commands.
  mutating func move(_ command: CommandID) -> Bool {
    switch command {
    case .listUp: move(.up)
    case .listDown: move(.down)
    case .listPageUp: move(.pageUp)
    case .listPageDown: move(.pageDown)
    case .listHalfUp: move(.halfPageUp)
    case .listHalfDown: move(.halfPageDown)
    case .listFirst: move(.first)
    case .listLast: move(.last)
    case .gridLeft: move(.left)
    case .gridRight: move(.right)
    default: return false
    }
    return true
  }
}
