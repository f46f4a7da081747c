/// Words that `/` or `*` looks for, without case and accents.
struct ViSearch: Hashable, Sendable {
  var words: String
  var isForward: Bool
  /// Only where the words are no part of a longer one.
  var isWhole = false
}

/// A search that goes on from a place, a slice at a time, and once around the text.
struct ViSeek: Sendable {
  let search: ViSearch
  let isForward: Bool
  /// The command that waits for the place: a motion, or an operator.
  let command: ViCommand
  /// Where the command began.
  let origin: Int
  /// Where the search began.
  let cursor: Int
  /// Matches still to find.
  private var left: Int
  /// From the cursor to the end of the text, then from its other end.
  private var isAround = false
  private var at: Int?
  private var found = 0

  /// In bytes. A slice holds fewer matches than `TextSearch` takes.
  private static let slice = 64 << 10

  init(_ search: ViSearch, isForward: Bool, _ command: ViCommand, origin: Int, cursor: Int) {
    (self.search, self.isForward, self.command) = (search, isForward, command)
    (self.origin, self.cursor) = (origin, cursor)
    left = command.times
  }

  enum Answer: Equatable { case found(Int), none, more }

  /// Looks at the next slice of the text.
  mutating func lookOn(in text: TextBuffer) -> Answer {
    let middle = min(cursor + (isForward ? 1 : 0), text.count)
    let part = isForward == isAround ? 0..<middle : middle..<text.count
    let from = min(max(at ?? (isForward ? part.lowerBound : part.upperBound), part.lowerBound), part.upperBound)
    let slice =
      isForward
      ? from..<min(part.upperBound, from + Self.slice) : max(part.lowerBound, from - Self.slice)..<from
    let places = slice.isEmpty ? [] : matches(slice, text)
    if left <= places.count { return .found(places[isForward ? left - 1 : places.count - left].lowerBound) }
    left -= places.count
    found += places.count
    at = isForward ? slice.upperBound : slice.lowerBound
    guard at == (isForward ? part.upperBound : part.lowerBound) else { return .more }
    at = nil
    if isAround {
      guard found > 0 else { return .none }
      // Full rounds lead to the same place.
      (left, found) = ((left - 1) % found + 1, 0)
    }
    isAround.toggle()
    return .more
  }

  private func matches(_ part: Range<Int>, _ text: TextBuffer) -> [Range<Int>] {
    let found = TextSearch.places(of: search.words, in: part, of: text)
    guard search.isWhole else { return found }
    var reader = ViText(text)
    return found.filter { match in
      let isAlone =
        reader.isLineStart(match.lowerBound) || reader.kind(reader.before(match.lowerBound), isBig: false) != 2
      return isAlone && reader.kind(match.upperBound, isBig: false) != 2
    }
  }
}

extension ViKeys {
  /// Slices that a key looks at before it gives back the terminal.
  private static let slicesAtOnce = 64

  /// Searches for the typed words, or for the last ones.
  mutating func search(
    _ words: String, isForward: Bool, _ command: ViCommand?, _ editor: inout TextEditor
  ) {
    guard !words.isEmpty || lastWords != nil else { return }
    lastWords = ViSearch(words: words.isEmpty ? lastWords?.words ?? "" : words, isForward: isForward)
    var command = command ?? ViCommand(action: .move(.search(isForward: isForward)))
    if command.count == nil { command.count = 1 }
    begin(isForward, command, &editor)
  }

  /// True if the motion is a search, which may end later.
  mutating func seeks(_ motion: ViMotion, _ command: ViCommand, _ editor: inout TextEditor) -> Bool {
    switch motion {
    case .search(let isForward):
      if isRepeating, lastWords != nil {
        begin(isForward, command, &editor)
      } else {
        line = ViLine(kind: .search(isForward: isForward), command: command)
      }
    case .searchAgain(let isReversed):
      guard let search = lastWords else {
        request = .say("Nothing was searched for yet.")
        return true
      }
      begin(search.isForward != isReversed, command, &editor)
    case .wordUnderCursor(let isForward):
      guard let word = wordUnderCursor(editor) else { return true }
      lastWords = word.search
      lastWords?.isForward = isForward
      begin(isForward, command, from: word.start, &editor)
    default: return false
    }
    return true
  }

  private mutating func begin(
    _ isForward: Bool, _ command: ViCommand, from cursor: Int? = nil, _ editor: inout TextEditor
  ) {
    guard let search = lastWords else { return }
    let origin = editor.text.cursor
    seek = ViSeek(search, isForward: isForward, command, origin: origin, cursor: cursor ?? origin)
    for _ in 0..<Self.slicesAtOnce where seek != nil { lookOn(&editor) }
  }

  /// Looks at the next slice. The place that it finds ends the command.
  mutating func lookOn(_ editor: inout TextEditor) {
    guard var seek else { return }
    switch seek.lookOn(in: editor.text.buffer) {
    case .more: self.seek = seek
    case .none:
      self.seek = nil
      request = .say("This text does not contain \"\(seek.search.words)\".")
    case .found(let place):
      self.seek = nil
      finish(seek, at: place, &editor)
    }
  }

  private mutating func finish(_ seek: ViSeek, at place: Int, _ editor: inout TextEditor) {
    let move = ViMove(place: place)
    guard case .operate(let operation, _) = seek.command.action else {
      if seek.isForward != (place > seek.origin) {
        request = .say(seek.isForward ? "Past the end: on from the top." : "Past the top: on from the end.")
      }
      return go(to: move, &editor)
    }
    var text = ViText(editor.text.buffer)
    guard let region = text.region(from: seek.origin, to: move, operation) else {
      if operation == .change { return beginChange(nil, seek.command, &editor) }
      if !isRepeating, operation != .yank { lastChange = ViChange(command: seek.command) }
      return
    }
    apply(seek.command, region, &editor)
  }

  /// The word at the cursor or behind it in the line, else other characters than blanks; and their place.
  private func wordUnderCursor(_ editor: TextEditor) -> (search: ViSearch, start: Int)? {
    var text = ViText(editor.text.buffer)
    let cursor = editor.text.cursor
    let end = min(text.lineEnd(cursor), cursor + 0x10000)
    for isWord in [true, false] {
      var place = cursor
      while place < end, isWord ? text.kind(place, isBig: false) < 2 : text.kind(place, isBig: true) == 0 {
        place = text.after(place)
      }
      let object = ViObject(kind: .word(isBig: !isWord), isWhole: false)
      guard place < end, let word = text.object(object, 1, at: place, .yank)?.range else { continue }
      let bytes = text.buffer.bytes(in: word.lowerBound..<min(word.upperBound, word.lowerBound + 256))
      let words = String(decoding: bytes, as: UTF8.self)
      return (ViSearch(words: words, isForward: true, isWhole: isWord), word.lowerBound)
    }
    return nil
  }
}
