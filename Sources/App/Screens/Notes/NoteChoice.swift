internal import Basics
internal import ClubServices
internal import FileStores
internal import TextUI

/// A view over the notes with a line of typed text.
protocol NotesPrompt: NotesView {
  /// Takes a key or pasted text.
  mutating func take(_ event: InputEvent) -> Commands
}

extension NotesPrompt {
  func taking(_ event: InputEvent, _ state: inout NotesState) -> Commands {
    var prompt = self
    let commands = prompt.take(event)
    state.replaceTop(prompt)
    return commands
  }
}

/// A list over the notes from which the member takes one item. Typed letters narrow it, the best match first.
struct NoteChoice: NotesPrompt {
  enum Taken: Sendable, Hashable {
    /// Nil for a note without a template.
    case template(StorePath?)
    case insertion(Insertion)
    case picture(StorePath)
    case note(StorePath)
    case table(columns: Int, rows: Int)
    case tag(String)
  }

  struct Item: Sendable {
    let text: [UInt8]
    let fact: String
    let taken: Taken

    init(_ text: some Sequence<UInt8>, _ fact: String = "", _ taken: Taken) {
      (self.text, self.fact, self.taken) = (Array(text), fact, taken)
    }
  }

  let label: String
  /// A sentence for a list without items.
  let empty: String
  /// Nil while they are read.
  private(set) var items: [Item]?
  /// Typed text that is no item can be taken, too.
  private let readsTyped: (@Sendable (String) -> Item?)?
  private var names = NameTable()
  private var others: NameFinder.Spellings = ([], NameTable())
  private var finder = NameFinder()
  private(set) var field = TextField()
  /// The items that match.
  private(set) var shown: [Int] = []
  private(set) var list = ListState()
  /// The taken item, while its text is read.
  var waiting: Taken?

  init(
    _ label: String, _ items: [Item]?, empty: String, _ frame: Frame,
    readsTyped: (@Sendable (String) -> Item?)? = nil
  ) {
    (self.label, self.empty, self.readsTyped) = (label, empty, readsTyped)
    resize(frame)
    if let items { take(items) }
  }

  mutating func take(_ items: [Item]) {
    self.items = items
    names = NameTable(items.map(\.text))
    let some = items.indices.filter { items[$0].text.contains { $0 >= 0x80 } }
    others = (some.map { Int32($0) }, NameTable(some.map { SearchFold.folded(items[$0].text[...]) }))
    finder = NameFinder()
    narrow()
  }

  private mutating func narrow() {
    finder.change(to: SearchFold.folded(field.string), in: names, spellings: others)
    shown = finder.best?.map { Int($0) } ?? Array(0..<names.count)
    list.setCount(shown.count)
    list.select(0)
  }

  /// The typed text, if it can be taken, else the selected row.
  var chosen: Item? {
    if let typed = readsTyped?(field.string) { return typed }
    guard let items, let row = list.selected, row < shown.count else { return nil }
    return items[shown[row]]
  }

  mutating func take(_ event: InputEvent) -> Commands {
    guard waiting == nil else { return [] }
    let before = field.bytes
    switch event {
    case .key(let key) where [.up, .down, .pageUp, .pageDown].contains(key.code): _ = list.handle(key)
    case .key(let key): _ = field.handle(key)
    case .paste(let bytes): _ = field.paste(bytes)
    default: break
    }
    if field.bytes != before { narrow() }
    return []
  }

  // MARK: - The view

  var places: [KeyCommand.Place] { [.path] }
  var footer: [CommandID] { [.pathAccept, .pathCancel] }
  var takesText: Bool { true }
  var closesForSearch: Bool { false }

  mutating func resize(_ frame: Frame) { list.resize(height: max(1, frame.bodyHeight - 2)) }
  mutating func scroll(by rows: Int) { list.scroll(by: rows) }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    var choice = self
    switch command {
    case .pathCancel, .close, .interrupt:
      state.views.removeLast()
      return ["notes.template", "notes.tags"].map { .cancel(key: $0) }
    case .pathAccept:
      guard waiting == nil else { return [] }
      guard let taken = chosen?.taken else {
        frame.say(items == nil ? "The list is not read yet." : "Nothing matches.")
        return []
      }
      return NotesScreen.take(taken, &state, &frame)
    case .pathComplete:
      guard !shown.isEmpty else { return [] }
      choice.list.select((list.selection + 1) % shown.count)
    default: break
    }
    state.replaceTop(choice)
    return []
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    switch command {
    case .pathMark: "One row is taken; there is nothing to mark."
    case .pathComplete where shown.count < 2: "There is no other row."
    default: nil
    }
  }

  func point(_ mouse: InputEvent.Mouse, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard mouse.kind == .press, let row = list.row(atLine: mouse.point.y - 2) else { return [] }
    var choice = self
    let isSecond = list.selected == row
    choice.list.select(row)
    state.replaceTop(choice)
    return isSecond ? choice.handle(.pathAccept, &state, &frame) : []
  }

  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    let typed = readsTyped?(field.string)
    let sentence =
      waiting != nil
      ? "Reading it." : typed?.fact ?? (items?.isEmpty == true ? empty : shown.isEmpty ? "Nothing matches." : "")
    if items == nil { LoadingSteps.draw(frame, on: &canvas) }
    canvas.prompt(label, field, problem: nil, sentence: items == nil ? "" : sentence, list) { line, row, isSelected in
      guard let items, row < shown.count else { return }
      draw(items[shown[row]], isSelected: isSelected && typed == nil, on: &line)
    }
  }

  private func draw(_ item: Item, isSelected: Bool, on line: inout Canvas) {
    line.text(isSelected ? ">" : " ", x: 1, y: 0, style: line[.accent])
    let facts = GlyphReader.columns(of: item.fact)
    let room = max(1, line.size.width - 4 - (facts == 0 ? 0 : facts + 2))
    let places = finder.query.places(in: item.text[...])
    line.text(
      places.isEmpty ? ShortName.of(item.text[...], columns: room) : item.text[...], x: 3, y: 0,
      style: line[isSelected ? .selection : .text], width: room, places: places)
    line.text(item.fact, x: line.size.width - facts - 1, y: 0, style: line[.dim])
  }
}
