internal import TextUI

/// Where is the club?
struct PlacesView: ClubsView {
  private struct Row {
    let name: String
    let about: String
    let step: ClubsStep
  }

  let title: String
  let isHome: Bool
  private let rows: [Row]
  private var list: ListState

  /// The first start also offers this machine and the demo.
  init(forms: [PlaceForm], isFirst: Bool = false, offersThisMachine: Bool = false) {
    title = isFirst ? "Where is your club?" : "Add a club"
    isHome = isFirst
    let here = Row(name: "On this machine", about: "A folder, ~/ByteClub. No network.", step: .end(.thisMachine))
    let invitation = Row(name: "An invitation", about: "Paste the line from a friend.", step: .showInvitation)
    let demo = Row(name: "Look around", about: "A demo club. Nothing is kept.", step: .end(.demo))
    rows =
      (isFirst || offersThisMachine ? [here] : []) + [invitation]
      + forms.map { Row(name: $0.title, about: Self.firstSentence($0.about), step: .showForm($0)) }
      + (isFirst ? [demo] : [])
    list = ListState(count: rows.count)
  }

  var places: [KeyCommand.Place] { [.clubPlaces, .moves] }
  var footer: [CommandID] { [.clubPlacesTake] }
  var takesDigits: Bool { true }

  mutating func take(_ input: MemberInput, _ frame: Frame) -> [ClubsStep] {
    list.resize(height: rowsInView(frame, ClubsScreen.bodySize(of: frame).height))
    switch input {
    case .command(.clubPlacesTake): return chosen
    case .command(let command): _ = list.move(command)
    case .typed(let key):
      if let number = key.typed.flatMap({ Int(String($0)) }), rows.indices.contains(number - 1) {
        list.select(number - 1)
      }
    case .pasted(let bytes):
      let line = String(decoding: bytes, as: UTF8.self)
      return line.isEmpty ? [] : [.show(InvitationView(line, joinsAtOnce: true))]
    case .mouse(let mouse): if list.point(mouse) { return chosen }
    }
    return []
  }

  private var chosen: [ClubsStep] { list.selected.map { [rows[$0].step] } ?? [] }

  /// The form shows the rest.
  private static func firstSentence(_ text: String) -> String {
    text.firstRange(of: ". ").map { String(text[..<$0.lowerBound]) + "." } ?? text
  }

  /// Without room for a second column, the sentence about the selected row stands below the list.
  private func rowsInView(_ frame: Frame, _ height: Int) -> Int {
    min(rows.count, max(1, height - (frame.isNarrow ? 3 : 0)))
  }

  mutating func answered(_ answer: ClubsAnswer) -> [ClubsStep] { [] }

  func draw(_ frame: Frame, on canvas: inout Canvas) {
    let (width, height) = (canvas.size.width, canvas.size.height)
    let shown = rowsInView(frame, height)
    let column = 5 + (rows.map { GlyphReader.columns(of: $0.name) }.max() ?? 0) + 3
    canvas.inside(Rect(0, 0, width, shown)) { part in
      list.draw(
        on: &part, content: { rows[$0].name.hashValue ^ rows[$0].about.hashValue ^ $0 },
        row: { line, row, _ in
          line.text("\(row + 1)", x: 3, y: 0, style: line[.dim])
          line.text(rows[row].name, x: 5, y: 0, width: line.size.width - 6)
          guard !frame.isNarrow else { return }
          line.text(rows[row].about, x: column, y: 0, style: line[.dim], width: line.size.width - column - 1)
        })
    }
    let hint = "A pasted invitation is taken at once."
    if frame.isNarrow, let selected = list.selected {
      canvas.paragraph(rows[selected].about, x: 1, y: shown + 1, style: canvas[.dim])
    } else if shown + 1 < height {
      canvas.text(hint, x: 5, y: shown + 1, style: canvas[.dim], width: width - 6)
    }
  }
}
