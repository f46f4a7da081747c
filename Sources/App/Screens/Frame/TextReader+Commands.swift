internal import TextUI

extension TextReader {
  mutating func move(_ command: CommandID) {
    if let scroll = Self.scroll(command) { self.scroll(scroll) }
  }

  /// The way that a reader command scrolls; nil for other commands.
  static func scroll(_ command: CommandID) -> Scroll? {
    switch command {
    case .readerUp: .up
    case .readerDown: .down
    case .readerPageUp: .pageUp
    case .readerPageDown: .pageDown
    case .readerHalfUp: .halfPageUp
    case .readerHalfDown: .halfPageDown
    case .readerFirst: .top
    case .readerLast: .bottom
    default: nil
    }
  }

  /// A sentence for a command that would scroll beyond an end of a text; nil for others.
  static func end(of command: CommandID, isAtTop: Bool, isAtEnd: Bool) -> String? {
    switch scroll(command) {
    case .up?, .pageUp?, .halfPageUp?, .top?: isAtTop ? "The text begins here." : nil
    case .down?, .pageDown?, .halfPageDown?, .bottom?: isAtEnd ? "The text ends here." : nil
    case nil: nil
    }
  }

  func end(of command: CommandID) -> String? {
    Self.end(of: command, isAtTop: topOffset == 0, isAtEnd: percent == 100)
  }
}
