internal import TextUI

/// All clubs of this machine.
struct ClubsList: ClubsView {
  private let current: String?
  private var rows: [ClubRow] = []
  private var list = ListState()
  private var isReported = false
  /// Some clubs were not asked yet.
  private var isReading = false
  /// The words that find a club by its name while they are typed.
  private var find: TextField?
  /// The row that was selected before.
  private var before: Int?

  init(current: String?) { self.current = current }

  var title: String { "Clubs" }
  var isHome: Bool { true }
  var places: [KeyCommand.Place] { takesText ? [] : [.clubs, .moves] }
  var footer: [CommandID] { takesText ? [] : [.clubsOpen, .clubsAdd, .clubsLine, .clubsDevice, .refresh] }
  var finds: Bool { true }
  var takesText: Bool { find != nil }

  mutating func begin() -> [ClubsStep] {
    isReading = true
    return [.ask(.clubs)]
  }

  private var chosen: ClubRow? { list.selected.map { rows[$0] } }

  mutating func take(_ input: MemberInput, _ frame: Frame) -> [ClubsStep] {
    list.resize(height: ClubsScreen.bodySize(of: frame).height - (takesText ? 1 : 0))
    switch input {
    case .command(.clubsOpen): return chosen.map(open) ?? []
    case .command(.clubsAdd): return [.showPlaces]
    case .command(.refresh): return begin()
    case .command(.clubsLine):
      return chosen.map { [.show(ShownLineView("A line for a friend: \($0.name)", .placeLine($0.name)))] } ?? []
    case .command(.clubsDevice):
      guard let chosen else { break }
      guard chosen.canAddDevice else {
        return [.say("\"\(chosen.name)\" has no devices: only clubs behind byteclub serve have.")]
      }
      return [.show(ShownLineView("Your next device: \(chosen.name)", .deviceLine(chosen.name)))]
    case .command(.find): (find, before) = (TextField(), list.selected)
    case .command(let command): _ = list.move(command)
    case .mouse(let mouse): if list.point(mouse) { return chosen.map(open) ?? [] }
    case .typed(let key): type(key)
    case .pasted(let bytes):
      _ = find?.paste(bytes)
      selectFound()
    }
    return []
  }

  /// Enter ends the typing, Esc also goes back to the row before.
  private mutating func type(_ key: Key) {
    switch key.code {
    case .enter: find = nil
    case .escape:
      find = nil
      if let before { list.select(before) }
    case .up, .down: _ = list.move(key.code == .up ? .listUp : .listDown)
    default:
      _ = find?.handle(key)
      selectFound()
    }
  }

  private var found: Int? {
    guard let words = find?.string.lowercased(), !words.isEmpty else { return nil }
    return rows.firstIndex { $0.name.lowercased().contains(words) }
  }

  private mutating func selectFound() { if let found { list.select(found) } }

  private func open(_ row: ClubRow) -> [ClubsStep] {
    switch row.state {
    case .needsSignIn: [.show(SignInView(row.name))]
    case .broken(let fault): [.show(ShownLineView("\(row.name) cannot be opened", sentence: fault))]
    case .unknown, .reachable, .away: [.end(row.name == current ? .back : .open(club: row.name, said: nil))]
    }
  }

  mutating func answered(_ answer: ClubsAnswer) -> [ClubsStep] {
    switch answer {
    case .rows(let new):
      let name = isReported ? chosen?.name : current
      (rows, isReported) = (new, true)
      list.setCount(rows.count)
      if let name, let row = rows.firstIndex(where: { $0.name == name }) { list.select(row) }
    case .allAsked: isReading = false
    default: break
    }
    return []
  }

  func draw(_ frame: Frame, on canvas: inout Canvas) {
    guard !rows.isEmpty else {
      let add = "No clubs yet. Press \(frame.keys.name(of: .clubsAdd)) to add one."
      canvas.paragraph(isReported ? add : "Looking for your clubs ...", x: 1, y: 0, style: canvas[.dim])
      return
    }
    let names = rows.map { GlyphReader.columns(of: $0.name) }.max() ?? 0
    let column = min(names, canvas.size.width / 3)
    list.draw(
      on: &canvas, content: { rows[$0].content ^ column },
      row: { line, row, _ in rows[row].draw(nameColumns: column, on: &line) })
    if isReading, rows.count + 1 < canvas.size.height {
      canvas.text("Asking the clubs ...", x: 5, y: rows.count + 1, style: canvas[.dim])
    }
    guard let find else { return }
    FieldLine.draw("Find: ", find, note: find.isEmpty || found != nil ? "" : "no such club", on: &canvas)
  }
}

extension ClubRow {
  /// A hash of the drawing.
  fileprivate var content: Int { "\(self)".hashValue }

  /// From left to right, without those that are nothing.
  private var facts: [(text: String, role: Role)] {
    let state: (String, Role)? =
      switch self.state {
      case .unknown, .reachable: nil
      case .away: ("offline", .offline)
      case .needsSignIn: ("needs sign-in", .warning)
      case .broken: ("cannot be opened", .error)
      }
    let counts = [news.map { ($0, "new", Role.new) }, waiting.map { ($0, "to send", Role.waiting) }]
    return counts.compactMap { $0 }.filter { $0.0 > 0 }.map { ("\($0.0) \($0.1)", $0.2) } + [state].compactMap { $0 }
  }

  /// The name, the place as far as there is room, and the facts at the right border.
  fileprivate func draw(nameColumns: Int, on canvas: inout Canvas) {
    let width = canvas.size.width
    if isOpen { canvas.text(canvas.symbol(.online), x: 3, y: 0, style: canvas[.accent]) }
    canvas.text(name, x: 5, y: 0, width: nameColumns)
    var right = width - 1
    for fact in facts.reversed() {
      let columns = GlyphReader.columns(of: fact.text)
      guard right - columns > 5 + nameColumns else { break }
      right -= columns
      canvas.text(fact.text, x: right, y: 0, style: canvas[fact.role])
      right -= 2
    }
    let start = 5 + nameColumns + 2
    guard right - start >= 8 else { return }
    canvas.text(ShortName.of(place, columns: right - start), x: start, y: 0, style: canvas[.dim])
  }
}
