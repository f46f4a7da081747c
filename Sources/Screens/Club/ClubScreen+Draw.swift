internal import FileStores
public import TextUI

extension ClubScreen {
  /// From top to bottom: tabs, body, transfer (when there is one), notice, keys.
  public static func draw(_ state: ClubState, on canvas: inout Canvas) {
    let size = canvas.size
    guard size.width >= leastSize.width, size.height >= leastSize.height else {
      canvas.text("terminal too small", x: 0, y: 0, width: size.width)
      return
    }
    canvas.inside(Rect(0, 0, size.width, 1)) {
      $0.line(of: tabBarContent(state)) { tabBar(state).draw(on: &$0) }
    }
    let notice =
      state.frame.noticeLine
      ?? state.notes.lastingNotice.map { NoticeLine($0.text, $0.isError ? .error : .information) }
    let noticeHeight = max(1, notice?.height(for: size.width) ?? 1)
    let transfer = TransferBar.bar(state.transfers, state.frame)
    let bodyHeight = size.height - 2 - noticeHeight - (transfer == nil ? 0 : 1)
    canvas.inside(Rect(0, 1, size.width, bodyHeight - (state.line == nil ? 0 : 1))) { drawBody(state, on: &$0) }
    if let line = state.line {
      canvas.inside(Rect(0, bodyHeight, size.width, 1)) { FieldLine.draw(":", line.field, on: &$0) }
    }
    if let transfer {
      canvas.inside(Rect(0, 1 + bodyHeight, size.width, 1)) { transfer.draw(on: &$0) }
    }
    canvas.inside(Rect(0, size.height - 1 - noticeHeight, size.width, noticeHeight)) { notice?.draw(on: &$0) }
    let footer = ClubFooter.of(state)
    canvas.inside(Rect(0, size.height - 1, size.width, 1)) {
      $0.line(of: footer.content) { footer.line(state.frame.keys).draw(on: &$0) }
    }
    if let question = state.question {
      question.draw(on: &canvas)
    } else if state.help == nil, state.transfers.isOpen {
      state.transfers.question?.draw(on: &canvas)
    } else if state.help == nil {
      switch state.tab {
      case .notes: state.notes.drawQuestion(on: &canvas)
      case .photos: state.photos.drawQuestion(on: &canvas)
      }
    }
  }

  private static func drawBody(_ state: ClubState, on canvas: inout Canvas) {
    if let help = state.help {
      help.table.draw(on: &canvas)
      return
    }
    if state.transfers.isOpen {
      TransfersScreen.draw(state.transfers, state.frame, on: &canvas)
      return
    }
    switch state.tab {
    case .notes: NotesScreen.draw(state.notes, on: &canvas)
    case .photos: PhotosScreen.draw(state.photos, on: &canvas)
    }
  }

  static func tabBar(_ state: ClubState) -> TabBar {
    var bar = TabBar(
      title: "Byte Club", tabs: ClubState.Tab.allCases.map(\.title), selection: state.tab.rawValue)
    let line = ClubLine(
      state.frame, name: state.transfers.club, isActive: isActive(state), toSend: state.notes.countToSend)
    let width = state.frame.size.width
    // Whether the store answers matters more than the program's name.
    if bar.trailingRoom(width: width) < line.leastColumns { bar.title = "" }
    bar.trailing = Array(line.text(columns: bar.trailingRoom(width: width)).utf8)
    return bar
  }

  private static func isActive(_ state: ClubState) -> Bool {
    state.notes.files.isListing || state.photos.files.isListing || state.notes.savesUnderway > 0
      || state.underway > 0
  }

  /// What decides how the tab bar looks; the club's name never changes. A tenth of what making the bar costs.
  private static func tabBarContent(_ state: ClubState) -> Int {
    let line = ClubLine.content(state.frame, isActive: isActive(state)) &* 31 &+ state.notes.countToSend
    return line << 1 | state.tab.rawValue
  }
}
