public import ClubServices
public import FileStores
internal import TextUI

public enum NewsAction: Sendable {
  case input(MemberInput)
  case loaded([Happening])
  /// A photo of this day in an earlier year; nil if there is none.
  case remembered(OnThisDay?)
  case failed(StoreError)
}

/// The news of the club, over any tab: a photo of this day in an earlier year, then the newest day first, and each day's
/// news by member.
struct NewsView: Sendable {
  /// nil until the club has answered.
  private(set) var happenings: [Happening]?
  /// The notes and photos that others added or changed since the member last looked.
  private var new: Set<StorePath> = []
  private(set) var problem: String?
  /// Has the first row.
  private var memory: OnThisDay?
  private let walksOnly: Bool
  private var rows = ListState()

  init(height: Int, walksOnly: Bool = false, memory: OnThisDay? = nil) {
    (self.walksOnly, self.memory) = (walksOnly, walksOnly ? nil : memory)
    resize(height: height)
  }

  /// The list has a heading above it.
  mutating func resize(height: Int) { rows.resize(height: max(1, height - 1)) }

  mutating func take(_ happenings: [Happening], new: Set<StorePath>) {
    let shown = walksOnly ? happenings.filter(\.isWalk) : happenings
    (self.happenings, self.new, problem) = (shown, new, nil)
    rows.setCount(shown.count + rowsAbove)
  }

  /// The selection stays on its happening.
  mutating func take(_ memory: OnThisDay?) {
    guard !walksOnly else { return }
    let (before, selection) = (rowsAbove, rows.selection)
    self.memory = memory
    guard let happenings else { return }
    rows.setCount(happenings.count + rowsAbove)
    rows.select(selection + rowsAbove - before)
  }

  private var rowsAbove: Int { memory == nil ? 0 : 1 }

  mutating func fail(_ sentence: String) { problem = sentence }

  var selected: Happening? { rows.selected.flatMap(happening) }

  var selectedMemory: OnThisDay? { happenings != nil && rows.selected == 0 ? memory : nil }

  private func happening(_ row: Int) -> Happening? {
    guard let happenings, happenings.indices.contains(row - rowsAbove) else { return nil }
    return happenings[row - rowsAbove]
  }

  var footer: [CommandID] {
    (selected == nil && selectedMemory == nil ? [] : [.newsOpen]) + [.refresh, .help, .quit]
  }

  func action(for event: InputEvent, _ keys: KeyTable) -> NewsAction? {
    switch event {
    case .key(let key):
      let command = keys.command(for: key, in: [.news, .moves, .everywhere])
      guard let command, [.news, .moves].contains(KeyCommand.named(command)?.place) || NewsView.own.contains(command)
      else { return nil }
      return .input(.command(command))
    case .mouse(let mouse): return .input(.mouse(mouse))
    default: return nil
    }
  }

  /// The commands of every view that work here.
  private static let own: Set<CommandID> = [.close, .quit, .refresh]

  mutating func move(_ command: CommandID) { _ = rows.move(command) }

  func end(of command: CommandID) -> String? { rows.end(of: command, "entry") }

  /// True if the selected happening should open.
  mutating func point(_ mouse: InputEvent.Mouse) -> Bool {
    switch mouse.kind {
    case .wheelUp, .wheelDown: rows.scroll(by: mouse.kind == .wheelUp ? -3 : 3)
    case .press:
      guard mouse.point.y > 0, let row = rows.row(atLine: mouse.point.y - 1) else { return false }
      if rows.selected == row { return true }
      rows.select(row)
    default: break
    }
    return false
  }

  // MARK: Drawing

  private static let dayColumns = 12
  /// A wide screen has room for the name of a guest, such as `Mia (a guest of ray)`.
  private static func mostMemberColumns(of width: Int) -> Int { max(12, width / 3) }

  func draw(_ frame: Frame, on canvas: inout Canvas) {
    let size = canvas.size
    canvas.text(walksOnly ? "Walks" : "What happened", x: 1, y: 0, style: canvas[.title], width: max(0, size.width - 2))
    guard let happenings, problem == nil, happenings.count + rowsAbove > 0 else {
      canvas.paragraph(
        problem ?? (happenings == nil ? "Loading." : walksOnly ? "Nobody has recorded a walk yet." : "Nothing yet."),
        x: 1, y: 2)
      return
    }
    let now = Int(frame.now)
    let names = rows.visible.compactMap { happening($0)?.claim }
    let members = min(NewsView.mostMemberColumns(of: size.width), names.map { GlyphReader.columns(of: $0) }.max() ?? 0)
    canvas.inside(Rect(0, 1, size.width, size.height - 1)) { part in
      rows.draw(
        on: &part,
        content: { row in
          guard let happening = happening(row) else { return memory?.hashValue }
          var hasher = Hasher()
          hasher.combine(happening)
          hasher.combine(new.contains(happening.thing))
          hasher.combine(Age.minutes(of: Int(happening.time.seconds), now: now))
          hasher.combine(members)
          hasher.combine(begins(row))
          return hasher.finalize()
        },
        row: { line, row, _ in
          if let happening = happening(row) {
            draw(row, happening, members, now, on: &line)
          } else if let memory {
            line.text(memory.sentence, x: 3, y: 0, style: line[.accent], width: max(0, line.size.width - 4))
          }
        })
    }
  }

  /// The first row of a day, and of a member in it, has the words; so has the first one on the screen.
  private func begins(_ row: Int) -> Int {
    guard let this = happening(row), let before = happening(row - 1), row != rows.visible.lowerBound else { return 0 }
    if Age.date(of: Int(before.time.seconds)) != Age.date(of: Int(this.time.seconds)) { return 0 }
    return before.claim != this.claim ? 1 : 2
  }

  private func draw(_ row: Int, _ happening: Happening, _ members: Int, _ now: Int, on line: inout Canvas) {
    let (width, moment) = (line.size.width, Int(happening.time.seconds))
    var x = 3
    let isNarrow = width < 60
    if begins(row) == 0 { line.text(day(moment, now, isNarrow), x: x, y: 0, style: line[.columnHead]) }
    x += isNarrow ? 9 : NewsView.dayColumns
    if let member = happening.claim, begins(row) < 2 {
      line.text(member, x: x, y: 0, style: line[.accent], width: members)
    }
    x += members == 0 ? 0 : members + 2
    if new.contains(happening.thing), happening.kind == .file {
      line.text("\(line.symbol(.new))", x: x, y: 0, style: line[.new])
    }
    x += 2
    // A date would say the day again.
    let age = isNarrow ? "" : Age.text(of: moment, now: now)
    let end = age.isEmpty || age.contains("-") ? width - 1 : width - age.utf8.count - 3
    // The name alone leaves room for what happened.
    let name = isNarrow ? happening.thing.name : happening.thing.bytes[...]
    x += line.text(name, x: x, y: 0, style: line[.text], width: max(0, end - x)) + 1
    line.text(happening.words, x: x, y: 0, style: line[.dim], width: max(0, end - x))
    if end < width - 1 { line.text(age, x: end + 2, y: 0, style: line[.dim]) }
  }

  /// A narrow screen has the month and the day, or the month of another year.
  private func day(_ moment: Int, _ now: Int, _ isNarrow: Bool) -> String {
    let day = Age.date(of: moment)
    guard isNarrow else { return day }
    return String(day.prefix(4) == Age.date(of: now).prefix(4) ? day.dropFirst(5) : day.prefix(7))
  }
}

extension Happening {
  fileprivate var isWalk: Bool { if case .walk = kind { true } else { false } }

  /// Behind the name of the note or photo, on one line.
  fileprivate var words: String {
    switch kind {
    case .file: ""
    case .caption: "has a caption"
    case .walk(let title): "the walk \(title)"
    case .remark(let text): "\"\(text.split(whereSeparator: \.isNewline).joined(separator: " "))\""
    case .door(let label): "has a door: \(label)"
    }
  }
}
