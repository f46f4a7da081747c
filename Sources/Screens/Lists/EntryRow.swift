internal import FileStores
internal import TextUI

/// One file in a list: a mark, its name, a flag, age and size. Narrow screens leave out what does not fit, the size first.
struct EntryRow {
  let name: ArraySlice<UInt8>
  let size: UInt64?
  let modified: Timestamp?
  let isChosen: Bool
  let isMarked: Bool
  /// `*` for text that is not in the store yet.
  let flag: String

  func draw(now: Int64, on canvas: inout Canvas) {
    let y = 0
    let width = canvas.size.width
    let style: Style = isChosen ? .reverse : .plain
    if isChosen { canvas.fill(Rect(0, y, width, 1), style: style) }
    canvas.text(isChosen ? ">" : " ", x: 1, y: y, style: style)
    canvas.text(isMarked ? "+" : " ", x: 2, y: y, style: style.with(.bold))
    let showsSize = width >= 60
    let right = width - (showsSize ? 23 : 12)
    canvas.text(name, x: 3, y: y, style: isMarked ? style.with(.bold) : style, width: right - 4)
    canvas.text(flag, x: right - 1, y: y, style: style.with(.bold))
    if let modified {
      let age = Age.text(of: Int(modified.seconds), now: Int(now))
      canvas.text(age, x: right + max(1, 11 - age.utf8.count), y: y, style: isChosen ? style : style.with(.dim))
    }
    guard showsSize, let size else { return }
    let text = ByteCount.text(Int(clamping: size))
    canvas.text(text, x: width - 1 - text.utf8.count, y: y, style: isChosen ? style : style.with(.dim))
  }
}
