internal import FileStores
internal import TextUI

/// One file in a list: a mark, its name, a flag, age and size. Narrow screens leave out what does not fit, the size first.
/// That it is chosen is the list's to show.
struct EntryRow {
  let name: ArraySlice<UInt8>
  let size: UInt64?
  let modified: Timestamp?
  let isMarked: Bool
  /// A word for text that is not in the store yet, such as `to send`.
  let flag: String
  /// Where the words that are sought stand in the name.
  let places: [Range<Int>]

  /// A hash value of all that is drawn.
  func content(now: Int64) -> Int {
    var hasher = Hasher()
    name.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(size)
    hasher.combine(modified)
    if let modified { hasher.combine(Age.minutes(of: Int(modified.seconds), now: Int(now))) }
    hasher.combine(isMarked)
    hasher.combine(flag)
    if !places.isEmpty { hasher.combine(places) }
    return hasher.finalize()
  }

  func draw(now: Int64, on canvas: inout Canvas) {
    let width = canvas.size.width
    if isMarked { canvas.text("+", x: 2, y: 0, style: .bold) }
    let showsSize = width >= 60
    let right = width - (showsSize ? 23 : 12)
    canvas.text(
      name, x: 3, y: 0, style: isMarked ? .bold : .plain, width: right - 4 - flag.utf8.count, places: places,
      with: [.underline, .bold])
    if !flag.isEmpty { canvas.text(flag, x: right - flag.utf8.count, y: 0, style: .bold) }
    if let modified {
      let age = Age.short(of: Int(modified.seconds), now: Int(now))
      let place = right + max(1, 11 - age.count)
      // In one look up to the size: each change of it is some bytes to the terminal.
      if showsSize, size != nil { canvas.fill(Rect(place, 0, width - 1 - place, 1), style: .dim) }
      canvas.text(age, x: place, y: 0, style: .dim)
    }
    guard showsSize, let size else { return }
    let text = ByteCount.short(Int(clamping: size))
    canvas.text(text, x: width - 1 - text.count, y: 0, style: .dim)
  }
}
