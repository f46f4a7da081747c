internal import TextUI

extension ListState {
  /// The rows in view.
  var visible: Range<Int> { min(top, count)..<min(count, top + height) }

  /// Moves by a command of the lists' place; false for other commands.
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
    default: return false
    }
    return true
  }
}
