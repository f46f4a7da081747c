internal import TextUI

/// A view over the list of a tab of files. The topmost handles the keys, and is drawn alone.
protocol TabView<Tab>: Sendable {
  associatedtype Tab: FileTab

  /// For key lookup, the nearest first.
  var places: [KeyCommand.Place] { get }
  var footer: [CommandID] { get }
  /// The reason why it is empty.
  var problem: Problem? { get }
  var isLoading: Bool { get }
  var canFind: Bool { get }
  var isFinding: Bool { get }
  /// Typed keys go into a text.
  var takesText: Bool { get }
  /// The keys of its text, if they are vi's.
  var vi: ViKeys? { get }
  /// It has typed text that may be nowhere else.
  var hasUnsavedText: Bool { get }
  /// The refresh key has a meaning.
  var refreshes: Bool { get }
  /// No view comes up over it unasked.
  var staysOnTop: Bool { get }
  /// The results of a search, which are in the list, close it.
  var closesForSearch: Bool { get }

  func handle(_ command: CommandID, _ state: inout Tab, _ frame: inout Frame) -> Tab.Commands
  /// Asks for what the preview beside it lacks, once.
  func lookBeside(_ state: inout Tab) -> Tab.Commands
  /// Handles the mouse, except for its wheel.
  func point(_ mouse: InputEvent.Mouse, _ state: inout Tab, _ frame: inout Frame) -> Tab.Commands
  /// Moves its selection by a command, and returns true; false for other commands.
  mutating func move(_ command: CommandID) -> Bool
  mutating func scroll(by rows: Int)
  mutating func resize(_ frame: Frame)
  func draw(_ state: Tab, _ frame: Frame, on canvas: inout Canvas)
  /// The reason why a command can do nothing now, as a sentence; nil if it does something.
  func reason(against command: CommandID, _ frame: Frame) -> String?
}

extension TabView {
  var problem: Problem? { nil }
  var isLoading: Bool { false }
  var canFind: Bool { false }
  var isFinding: Bool { false }
  var takesText: Bool { false }
  var vi: ViKeys? { nil }
  var hasUnsavedText: Bool { false }
  var refreshes: Bool { false }
  var staysOnTop: Bool { false }
  var closesForSearch: Bool { true }

  func lookBeside(_ state: inout Tab) -> Tab.Commands { [] }
  func point(_ mouse: InputEvent.Mouse, _ state: inout Tab, _ frame: inout Frame) -> Tab.Commands { [] }
  mutating func move(_ command: CommandID) -> Bool { false }
  mutating func scroll(by rows: Int) {}
  mutating func resize(_ frame: Frame) {}
  func reason(against command: CommandID, _ frame: Frame) -> String? { nil }
}

/// A view that is a list with a selection.
protocol ListView: TabView {
  associatedtype Item: Sendable

  var list: SideList<Item> { get set }
  /// The word for a row, and the sentences for a list that is not read yet and for one without rows.
  var sentences: (row: String, unread: String, empty: String) { get }
  /// Its commands for the selected row.
  var own: [CommandID] { get }
}

extension ListView {
  var rows: ListState { list.rows }

  mutating func move(_ command: CommandID) -> Bool { list.rows.move(command) }
  mutating func scroll(by rows: Int) { list.rows.scroll(by: rows) }
  mutating func resize(_ frame: Frame) { list.resize(height: frame.bodyHeight) }

  func point(_ mouse: InputEvent.Mouse, _ state: inout Tab, _ frame: inout Frame) -> Tab.Commands {
    guard mouse.kind == .press, let row = rows.row(atLine: mouse.point.y - SideFace.headLines) else { return [] }
    var view = self
    view.list.rows.select(row)
    state.replaceTop(view)
    return []
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? { reason(inRows: command) }

  func reason(inRows command: CommandID) -> String? {
    let end = rows.end(of: command, sentences.row)
    guard rows.count == 0 else { return end }
    return end != nil || own.contains(command) ? list.items == nil ? sentences.unread : sentences.empty : nil
  }
}
