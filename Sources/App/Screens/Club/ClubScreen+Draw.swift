public import TextUI

extension ClubScreen {
  public static func draw(_ state: ClubState, on canvas: inout Canvas) {
    canvas.theme = state.frame.theme
    canvas.isASCII = state.frame.abilities.asciiOnly
    canvas.split = state.wall == nil ? state.paneWidth : nil
    let size = canvas.size
    guard size.width >= leastSize.width, size.height >= leastSize.height else {
      canvas.text("terminal too small: \(leastSize.width)x\(leastSize.height) is enough", x: 0, y: 0, width: size.width)
      return
    }
    if let wall = state.wall { return wall.draw(state.frame, problem: state.photos.files.problem, on: &canvas) }
    canvas.inside(Rect(0, 0, size.width, 1)) {
      $0.line(of: tabBarContent(state)) { tabBar(state).draw(on: &$0) }
    }
    let notice =
      state.frame.noticeLine
      ?? state.notes.lastingNotice(state.frame).map { NoticeLine($0.text, $0.isError ? .error : .information) }
    let noticeHeight = max(1, notice?.height(for: size.width) ?? 1)
    let transfer = TransferBar.bar(state.transfers, state.frame)
    let bodyHeight = size.height - 2 - noticeHeight - (transfer == nil ? 0 : 1)
    let caption = state.help == nil ? state.captionField : nil
    canvas.inside(Rect(0, 1, size.width, bodyHeight - (state.line == nil && caption == nil ? 0 : 1))) {
      drawBody(state, on: &$0)
    }
    if let line = state.line {
      canvas.inside(Rect(0, bodyHeight, size.width, 1)) {
        FieldLine.draw(line.label, line.field, note: line.refusal == nil ? "" : "not in this view", on: &$0)
      }
    }
    if let caption, state.line == nil {
      canvas.inside(Rect(0, bodyHeight, size.width, 1)) { FieldLine.draw("Caption: ", caption, on: &$0) }
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
    } else if state.help == nil, !state.hasOverlay, state.transfers.isOpen {
      state.transfers.question?.draw(on: &canvas)
    } else if state.help == nil, !state.hasOverlay {
      switch state.tab {
      case .notes: state.notes.drawQuestion(on: &canvas)
      case .photos: state.photos.drawQuestion(on: &canvas)
      case .added(let place): state.added[place].drawQuestion(on: &canvas)
      }
    }
  }

  private static func drawBody(_ state: ClubState, on canvas: inout Canvas) {
    if let help = state.help {
      help.table.draw(on: &canvas)
      return
    }
    if let talk = state.talk { return talk.draw(state.frame, on: &canvas) }
    if let news = state.news { return news.draw(state.frame, on: &canvas) }
    if state.transfers.isOpen {
      TransfersScreen.draw(state.transfers, state.frame, on: &canvas)
      return
    }
    guard let width = state.paneWidth else { return drawTab(state, on: &canvas) }
    let size = canvas.size
    canvas.inside(Rect(0, 0, width, size.height)) { drawTab(state, on: &$0) }
    canvas.inside(Rect(width, 0, size.width - width, size.height)) { state.preview.draw(state.frame, on: &$0) }
  }

  private static func drawTab(_ state: ClubState, on canvas: inout Canvas) {
    switch state.seen {
    case .notes: state.notes.draw(state.frame, on: &canvas)
    case .photos: state.photos.draw(state.frame, on: &canvas)
    case .added(let place): state.added[place].draw(state.frame, on: &canvas)
    }
  }

  static func tabBar(_ state: ClubState) -> TabBar {
    var bar = TabBar(
      title: "Byte Club",
      tabs: state.tabs.map { tab in
        // The titles of notes and photos have their numbers.
        switch tab {
        case .notes: title(of: state.notes, state.frame)
        case .photos: title(of: state.photos, state.frame)
        case .added(let place): "\(place + 3) \(title(of: state.added[place], state.frame))"
        }
      },
      selection: state.tabs.firstIndex(of: state.seen) ?? 0)
    let line = ClubLine(
      state.frame, name: state.transfers.club, isActive: isActive(state),
      unsent: (state.notes.unsentWords, state.notes.countToSend))
    let width = state.frame.size.width
    // The connection's state matters more than the program's name.
    if bar.trailingRoom(width: width) < line.leastColumns { bar.title = "" }
    let trailing = line.text(columns: bar.trailingRoom(width: width))
    bar.trailing = Array(trailing.text.utf8)
    bar.emphasis = (trailing.stateBytes, line.role)
    return bar
  }

  /// A narrow line has no room for the count.
  private static func title(of tab: some ClubTab, _ frame: Frame) -> String {
    guard !frame.isNarrow, let count = tab.count else { return tab.title }
    let dot = Symbol.dot.scalar(isASCII: frame.abilities.asciiOnly)
    return "\(tab.title) \(count.grouped)" + (tab.newCount == 0 ? "" : " \(dot) \(tab.newCount.grouped) new")
  }

  private static func isActive(_ state: ClubState) -> Bool {
    state.underway > 0
      || state.tabs.contains { tab in
        state.ask(tab, { $0.isBusy }, { $0.isBusy }, { $0.isBusy })
      }
  }

  /// A hash of everything that changes the tab bar, at a tenth of the cost of making the bar. The club's name never
  /// changes.
  private static func tabBarContent(_ state: ClubState) -> Int {
    let unsent = state.notes.countToSend &* 31 &+ state.notes.conflictCount
    let line = ClubLine.content(state.frame, isActive: isActive(state)) &* 31 &+ unsent
    let counts = state.tabs.reduce(line) {
      ($0 &* 1_000_003 &+ (state.count(on: $1) ?? -1)) &* 31 &+ state.newCount(on: $1)
    }
    return counts &* 31 &+ (state.tabs.firstIndex(of: state.seen) ?? 0)
  }
}
