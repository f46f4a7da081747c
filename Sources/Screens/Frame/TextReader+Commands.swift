internal import TextUI

extension TextReader {
  /// Scrolls by a command of the reader's place; others do nothing.
  mutating func move(_ command: CommandID) {
    switch command {
    case .readerUp: scroll(.up)
    case .readerDown: scroll(.down)
    case .readerPageUp: scroll(.pageUp)
    case .readerPageDown: scroll(.pageDown)
    case .readerHalfUp: scroll(.halfPageUp)
    case .readerHalfDown: scroll(.halfPageDown)
    case .readerFirst: scroll(.top)
    case .readerLast: scroll(.bottom)
    default: break
    }
  }
}
