internal import FileStores
internal import TextUI
internal import Transfers

/// One transfer in the list: on one line where the terminal is wide, else on two or three.
struct TransferRow {
  let line: TransferLine
  let isMarked: Bool
  let isChosen: Bool
  /// The name of its club, when that is another one than the one that is open.
  let otherClub: String?
  let now: Int64

  /// Lines of each transfer on a terminal so wide.
  static func height(width: Int) -> Int { width >= 140 ? 1 : width >= 60 ? 2 : 3 }

  private var transfer: Transfer { line.transfer }
  private var style: Style { isChosen ? .reverse : isMarked ? .bold : .plain }

  func draw(on canvas: inout Canvas) {
    canvas.text(isChosen ? ">" : " ", x: 1, y: 0, style: .bold)
    if isMarked { canvas.text("+", x: 2, y: 0, style: .bold) }
    canvas.text(transfer.direction == .upload ? "up" : "down", x: 3, y: 0, style: .dim)
    switch Self.height(width: canvas.size.width) {
    case 1: drawWide(on: &canvas)
    case 2: drawOnTwo(on: &canvas)
    default: drawOnThree(on: &canvas)
    }
  }

  private func drawWide(on canvas: inout Canvas) {
    let width = canvas.size.width
    let right = width - 90
    name(on: &canvas, width: right - 10)
    guard !hasNoBar else {
      canvas.text(state, x: right, y: 0, width: width - right - 1)
      return
    }
    canvas.text(state, x: right, y: 0, width: 30)
    canvas.text(bar(10), x: right + 31, y: 0)
    canvas.text(numbers, x: right + 51, y: 0, width: width - right - 52)
  }

  /// What ended without the file.
  private var hasNoBar: Bool { transfer.state == .failed || transfer.state == .cancelled }

  private func drawOnTwo(on canvas: inout Canvas) {
    let width = canvas.size.width
    // What failed says why on its second line.
    let word = transfer.state == .failed ? "failed" : state
    let place = max(30, width - 2 - GlyphReader.columns(of: word))
    canvas.text(word, x: place, y: 0, width: width - place - 1)
    name(on: &canvas, width: place - 10)
    if hasNoBar {
      let why = transfer.state == .failed ? transfer.error.map { "\($0)" } : nil
      canvas.text(why ?? "", x: 8, y: 1, width: width - 9)
    } else {
      // The bar gives way to what stands behind it.
      let isTight = 8 + 28 + 2 + numbers.utf8.count + 1 > width
      let used = canvas.text(bar(isTight ? 10 : 20), x: 8, y: 1)
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
    canvas.text(bar(max(4, min(10, room))) + "  " + amount, x: 3, y: 2, width: width - 4)
  }

  private func name(on canvas: inout Canvas, width: Int) {
    let name = (otherClub.map { "\($0): " } ?? "") + transfer.name
    canvas.text(ShortName.of(name, columns: width), x: 8, y: 0, style: style, width: width)
  }

  private var state: String { TransferWords.state(line, now: now) }

  /// How fast, and how long still: only while that means something.
  private var pace: String {
    guard transfer.state == .running, line.quiet(now: now) == nil else { return "" }
    let left = transfer.secondsLeft.map { TimeSpan.text(seconds: $0) + " left" }
    return [transfer.rate.flatMap(TransferWords.rate), left].compactMap { $0 }.joined(separator: "  ")
  }

  private var numbers: String {
    let average = transfer.state == .done ? transfer.rate.flatMap(TransferWords.rate).map { "\($0) on average" } : nil
    return [TransferWords.amount(transfer), average ?? pace].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private func bar(_ width: Int) -> String {
    guard let percent = transfer.percent else {
      // A size is not known before the first byte, and then perhaps never.
      return "[" + String(repeating: transfer.state == .running ? "?" : "-", count: width) + "]"
    }
    let full = width * percent / 100
    let number = String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0) + "\(percent)"
    return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: width - full) + "] \(number) %"
  }
}
