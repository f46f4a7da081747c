/// The line below the text for words to search, or a command.
struct ViLine: Sendable {
  enum Kind: Hashable, Sendable {
    case command
    case search(isForward: Bool)
  }

  let kind: Kind
  var field = TextField()
  /// The operator that waits for the place.
  var command: ViCommand?

  var label: String {
    switch kind {
    case .command: ":"
    case .search(let isForward): isForward ? "/" : "?"
    }
  }
}

extension ViKeys {
  /// A request that the editor cannot carry out itself.
  public enum Request: Hashable, Sendable {
    case save, done, cancel, discard
    /// The text was yanked: the terminal's clipboard may have it, too.
    case copied
    case say(String)
    /// The word behind `:insert`; empty for its menu.
    case insert(String)
  }

  /// Runs a command typed behind a colon.
  mutating func run(_ words: String, _ editor: inout TextEditor) {
    let words = words.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    switch words {
    case "": break
    case "w", "w!", "write", "up", "update": request = .save
    case "q", "quit": request = .cancel
    case "q!", "quit!": request = .discard
    case "wq", "wq!", "x", "x!", "xit", "exit": request = .done
    case "insert": request = .insert("")
    case _ where words.hasPrefix("insert "): request = .insert(String(words.dropFirst("insert ".count)))
    case "$": move(ViCommand(action: .move(.lastLine)), &editor)
    default:
      if words.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        move(ViCommand(count: max(1, Int(words) ?? .max), action: .move(.lastLine)), &editor)
      } else {
        request = .say("byteclub does not know \":\(words)\". It knows :w :q :q! :wq :x and :NUMBER.")
      }
    }
  }

  mutating func type(_ key: Key, _ editor: inout TextEditor) {
    guard var line else { return }
    switch key {
    case Key(.escape), Key(.character("c"), .control), Key(.character("["), .control): self.line = nil
    case Key(.backspace) where line.field.isEmpty: self.line = nil
    case Key(.enter), Key(.character("m"), .control), Key(.character("j"), .control):
      self.line = nil
      switch line.kind {
      case .command: run(line.field.string, &editor)
      case .search(let isForward): search(line.field.string, isForward: isForward, line.command, &editor)
      }
    default:
      _ = line.field.handle(key)
      self.line = line
    }
  }
}
