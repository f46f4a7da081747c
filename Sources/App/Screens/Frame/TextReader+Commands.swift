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
}
