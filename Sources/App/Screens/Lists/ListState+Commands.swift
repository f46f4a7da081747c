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
    default: return false
    }
    return true
  }

  /// A sentence for a move that leads nowhere; nil for one that moves, and for other commands.
  func end(of command: CommandID, _ word: String = "row") -> String? {
    var moved = self
    guard moved.move(command), moved.selection == selection, moved.top == top else { return nil }
    guard count > 0 else { return "The list is empty." }
    let isUp = [.listUp, .listPageUp, .listHalfUp, .listFirst].contains(command)
    if isUp { return selection == 0 ? "This is the first \(word)." : "Nothing is above." }
    return selection == count - 1 ? "This is the last \(word)." : "Nothing is below."
  }
}
