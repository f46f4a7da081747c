internal import FileStores
internal import TextUI
internal import Transfers

/// One line on a wide terminal, otherwise two or three.
struct TransferRow {
  let line: TransferLine
  let isMarked: Bool
  let isChosen: Bool
  /// nil for the open club.
  let otherClub: String?
  let now: Int64

  static func height(width: Int) -> Int { width >= 140 ? 1 : width >= 60 ? 2 : 3 }

  private var transfer: Transfer { line.transfer }

  func draw(on canvas: inout Canvas) {
    if isChosen { canvas.fill(Rect(0, 0, canvas.size.width, 1), style: style(.text, canvas)) }
    canvas.text(isChosen ? ">" : " ", x: 1, y: 0, style: style(.accent, canvas))
    if isMarked { canvas.text("+", x: 2, y: 0, style: style(.marked, canvas)) }
    canvas.text(transfer.direction == .upload ? "up" : "down", x: 3, y: 0, style: style(.dim, canvas))
    switch Self.height(width: canvas.size.width) {
    case 1: drawWide(on: &canvas)
    case 2: drawOnTwo(on: &canvas)
    default: drawOnThree(on: &canvas)
    }
  }

  /// The style of a role on the first line, which is the selection's bar.
  private func style(_ role: Role, _ canvas: Canvas) -> Style { isChosen ? canvas.bar(role) : canvas[role] }

  private func drawWide(on canvas: inout Canvas) {
    let width = canvas.size.width
    let right = width - 90
    name(on: &canvas, width: right - 10)
    guard !hasNoBar else {
      canvas.text(state, x: right, y: 0, style: style(.text, canvas), width: width - right - 1)
      return
    }
    canvas.text(state, x: right, y: 0, style: style(.text, canvas), width: 30)
    drawBar(10, x: right + 31, y: 0, isOnBar: isChosen, on: &canvas)
    canvas.text(numbers, x: right + 51, y: 0, style: style(.text, canvas), width: width - right - 52)
  }

  /// The transfer ended without the file.
  private var hasNoBar: Bool { transfer.state == .failed || transfer.state == .cancelled }

  private func drawOnTwo(on canvas: inout Canvas) {
    let width = canvas.size.width
    // The second line shows the error of a failed transfer.
    let word = transfer.state == .failed ? "failed" : state
    let place = max(30, width - 2 - GlyphReader.columns(of: word))
    canvas.text(word, x: place, y: 0, style: style(.text, canvas), width: width - place - 1)
    name(on: &canvas, width: place - 10)
    if hasNoBar {
      let why = transfer.state == .failed ? transfer.error.map { "\($0)" } : nil
      canvas.text(why ?? "", x: 8, y: 1, width: width - 9)
    } else {
      // The bar shrinks in favour of the numbers.
      let isTight = 8 + 28 + 2 + numbers.utf8.count + 1 > width
      let used = drawBar(isTight ? 10 : 20, x: 8, y: 1, on: &canvas)
      canvas.text(numbers, x: 10 + used, y: 1, width: width - 11 - used)
    }
  }

  private func drawOnThree(on canvas: inout Canvas) {
    let width = canvas.size.width
    name(on: &canvas, width: width - 9)
    let facts = transfer.state == .running ? [state, pace].filter { !$0.isEmpty }.joined(separator: "  ") : state
    canvas.text(facts, x: 3, y: 1, width: width - 4)
    guard !hasNoBar else {
      canvas.text(transfer.state == .failed ? transfer.error?.remedy ?? "" : "", x: 3, y: 2, width: width - 4)
      return
    }
    let amount = TransferWords.amount(transfer)
    let room = width - 4 - amount.utf8.count - 10
    let used = drawBar(max(4, min(10, room)), x: 3, y: 2, on: &canvas)
    canvas.text(amount, x: 5 + used, y: 2, width: width - 6 - used)
  }

  private func name(on canvas: inout Canvas, width: Int) {
    let name = (otherClub.map { "\($0): " } ?? "") + transfer.name
    canvas.text(
      ShortName.of(name, columns: width), x: 8, y: 0,
      style: style(isMarked ? .marked : .text, canvas), width: width)
  }

  private var state: String { TransferWords.state(line, now: now) }

  /// Rate and remaining time, while they mean something.
  private var pace: String {
    guard transfer.state == .running, line.quiet(now: now) == nil else { return "" }
    let left = transfer.secondsLeft.map { TimeSpan.text(seconds: $0) + " left" }
    return [transfer.rate.flatMap(TransferWords.rate), left].compactMap { $0 }.joined(separator: "  ")
  }

  private var numbers: String {
    let average = transfer.state == .done ? transfer.rate.flatMap(TransferWords.rate).map { "\($0) on average" } : nil
    return [TransferWords.amount(transfer), average ?? pace].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  @discardableResult
  private func drawBar(_ width: Int, x: Int, y: Int, isOnBar: Bool = false, on canvas: inout Canvas) -> Int {
    func style(_ role: Role) -> Style { isOnBar ? canvas.bar(role) : canvas[role] }
    let (done, rest) = (style(.progress), style(.progressRest))
    return ProgressBar.draw(bar(width, canvas.isASCII), x: x, y: y, style: done, rest: rest, on: &canvas)
  }

  private func bar(_ width: Int, _ isASCII: Bool) -> String {
    // The size is unknown before the first byte, and sometimes later too.
    let known = transfer.percent ?? (transfer.state == .running ? nil : 0)
    let bar = ProgressBar.text(width, percent: known, isASCII: isASCII)
    guard let percent = transfer.percent else { return bar }
    let number = String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0) + "\(percent)"
    return "\(bar) \(number) %"
  }
}
