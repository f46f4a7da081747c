internal import FileStores
internal import TextUI

/// The columns of a list of files: mark, name, author, age and size. A narrow list omits the size first, then the
/// author.
struct EntryColumns: Hashable {
  /// The most columns of an author's name.
  static let author = 12

  let width: Int
  let hasAuthor: Bool
  let hasSize: Bool

  /// - Parameter hasAuthors: true if the authors are known and differ.
  init(width: Int, hasAuthors: Bool) {
    self.width = width
    hasAuthor = hasAuthors && width >= 56
    hasSize = width >= (hasAuthor ? 76 : 60)
  }

  /// The column behind the names, flags included.
  var nameEnd: Int { authorStart ?? ageStart }
  /// Nil without a column of authors.
  var authorStart: Int? { hasAuthor ? ageStart - EntryColumns.author : nil }
  var ageStart: Int { width - (hasSize ? 23 : 12) }
  var ageEnd: Int { ageStart + 11 }
  /// Nil without a column of sizes.
  var sizeEnd: Int? { hasSize ? width - 1 : nil }
}

/// A row of a list. The list itself highlights the selected row.
struct EntryRow {
  let name: ArraySlice<UInt8>
  let size: UInt64?
  let modified: Timestamp?
  /// The member who wrote the file last.
  var author: String?
  /// True if the list has a column of authors.
  var hasAuthors = false
  let isMarked: Bool
  /// True if it stays at the top of the list, on this machine.
  var isPinned = false
  /// True if another member added or changed it since this member last looked.
  var isNew = false
  var remarks: ListedRemarks?
  /// Facts about a folder, which the row stands for; nil for a file.
  var folder: String?
  /// The bytes of the name that are its folder, dimmed.
  var lead = 0
  /// The members who are in it now; empty if none is.
  var here = ""
  /// A label for text that is not in the store yet, such as `to send`.
  let flag: String
  /// The ranges of the found words in the name.
  var places: [Range<Int>]

  /// A hash of everything that is drawn.
  func content(now: Int64) -> Int {
    var hasher = Hasher()
    name.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(size)
    hasher.combine(modified)
    if let modified { hasher.combine(Age.minutes(of: Int(modified.seconds), now: Int(now))) }
    if hasAuthors { hasher.combine(author ?? "") }
    hasher.combine(isMarked)
    hasher.combine(isPinned)
    hasher.combine(isNew)
    hasher.combine(flag)
    hasher.combine(remarks)
    hasher.combine(folder)
    hasher.combine(lead)
    hasher.combine(here)
    if !places.isEmpty { hasher.combine(places) }
    return hasher.finalize()
  }

  func draw(now: Int64, on canvas: inout Canvas) {
    let columns = EntryColumns(width: canvas.size.width, hasAuthors: hasAuthors)
    let newRemarks = remarks?.newMark(isASCII: canvas.isASCII)
    if let mark = remarks?.isForMe == true ? newRemarks : isNew ? canvas.symbol(.new) : newRemarks {
      canvas.text(mark, x: 1, y: 0, style: canvas[.new])
    }
    if isPinned { canvas.text(canvas.symbol(.pin), x: 0, y: 0, style: canvas[.accent]) }
    if isMarked { canvas.text("+", x: 2, y: 0, style: canvas[.marked]) }
    let end = columns.nameEnd
    let talk =
      folder ?? [here, remarks?.label(isASCII: canvas.isASCII) ?? ""].filter { !$0.isEmpty }.joined(separator: "  ")
    let talkColumns = talk.isEmpty ? 0 : GlyphReader.columns(of: talk) + (flag.isEmpty ? 0 : 1)
    let room = max(0, end - 4 - flag.utf8.count - (talk.isEmpty ? 0 : talkColumns + 1))
    drawName(room, canvas[isMarked ? .marked : folder == nil ? .text : .directory], on: &canvas)
    if !flag.isEmpty { canvas.text(flag, x: end - flag.utf8.count, y: 0, style: canvas[.waiting]) }
    if !talk.isEmpty { canvas.text(talk, x: end - flag.utf8.count - talkColumns, y: 0, style: canvas[.dim]) }
    if let author, let start = columns.authorStart {
      canvas.text(author, x: start + 1, y: 0, style: canvas[.dim], width: EntryColumns.author - 1)
    }
    if let modified {
      let age = Age.short(of: Int(modified.seconds), now: Int(now))
      let place = columns.ageStart + max(1, 11 - age.count)
      // One style up to the size: each change of style sends some bytes to the terminal.
      if let end = columns.sizeEnd, size != nil { canvas.fill(Rect(place, 0, end - place, 1), style: canvas[.dim]) }
      canvas.text(age, x: place, y: 0, style: canvas[.dim])
    }
    guard let end = columns.sizeEnd, let size else { return }
    let text = ByteCount.short(Int(clamping: size))
    canvas.text(text, x: end - text.count, y: 0, style: canvas[.dim])
  }

  /// Draws the name. Its folders are shortened first, from the left.
  func drawName(_ columns: Int, _ style: Style, on canvas: inout Canvas) {
    var (name, lead, places) = (name, lead, places)
    if lead > 0, GlyphReader.columns(of: name) > columns {
      let bytes = Array(name)
      var room = columns - GlyphReader.columns(of: bytes[lead...]) - 1
      var cut = lead
      for glyph in Array(GlyphReader(bytes[..<lead])).reversed() {
        guard glyph.width <= room else { break }
        room -= glyph.width
        cut = glyph.range.lowerBound
      }
      // The mark of the gap takes a byte; without room for it the folders go.
      let mark = cut < lead ? [UInt8(ascii: "~")] : []
      name = (mark + bytes[cut...])[...]
      places = places.compactMap { place in
        let (start, end) = (max(place.lowerBound - cut, 0) + mark.count, place.upperBound - cut + mark.count)
        return start < end ? start..<end : nil
      }
      lead += mark.count - cut
    }
    // Found words are shown wherever they are; otherwise the end, by which names of one kind differ, stays.
    canvas.text(
      places.isEmpty && lead == 0 ? ShortName.of(name, columns: columns) : name, x: 3, y: 0, style: style,
      width: columns, places: places, lead: lead == 0 ? nil : (lead, canvas[.dim]))
  }
}
