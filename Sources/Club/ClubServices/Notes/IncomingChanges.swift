public import FileStores
import Merge

/// A newer text of a note whose text is being edited.
public struct NewerNote: Sendable, Hashable {
  public let content: OpenNote.Content
  public let entry: FileEntry
  public let text: [UInt8]
  public let writer: NoteWriter
  /// The text that the edited one was made from; nil if it is nowhere.
  public let base: [UInt8]?

  public init(_ entry: FileEntry, text: [UInt8], writer: NoteWriter, base: [UInt8]?) {
    (self.entry, self.text, self.writer, self.base) = (entry, text, writer, base)
    content = OpenNote.kind(of: text)
  }
}

/// The changes of a newer version that come into a text while it is edited. Pure.
public struct IncomingChanges: Sendable, Equatable {
  /// As edits of the open text. The last comes first, so that each fits the text as it was.
  public let edits: [DraftEdit]
  /// The text that the open one is made from now: the newer version, but as before at the places that both changed. So the
  /// next save meets the other's change there, and nowhere else.
  public let base: [UInt8]
  /// The number of places that both changed. They stay as they are.
  public let conflicts: Int
  /// The number of lines that change.
  public let lines: Int
  /// True if both changed the same sentence, which may read badly now.
  public let isClose: Bool

  /// nil for long texts.
  public init?(to mine: [UInt8], from base: [UInt8], newer: [UInt8]) {
    guard [mine, base, newer].allSatisfy({ $0.count <= MergedNote.mostRebasedBytes }) else { return nil }
    var (edits, next, conflicts): ([DraftEdit], [UInt8], Int) = ([], [], 0)
    let merge = TextMerge(base: base, mine: mine, theirs: newer)
    for region in merge.regions {
      next += region.kind == .conflict ? base[region.base] : newer[region.theirs]
      switch region.kind {
      case .conflict: conflicts += 1
      case .theirs: edits += DraftEdit.making(newer[region.theirs], of: mine[region.mine])
      case .joined(let both): edits += DraftEdit.making(both[...], of: mine[region.mine])
      case .same, .mine, .both: break
      }
    }
    (self.edits, self.base, self.conflicts) = (edits.reversed(), next, conflicts)
    lines = IncomingChanges.lines(of: edits, in: mine)
    isClose = merge.isClose
  }

  /// Edits of one line count once.
  private static func lines(of edits: [DraftEdit], in text: [UInt8]) -> Int {
    var (count, counted) = (0, 0)
    for edit in edits {
      let end = edit.offset + edit.removed
      let feeds = max(edit.inserted.count { $0 == 0x0A }, text[edit.offset..<end].count { $0 == 0x0A })
      let endsLine = edit.inserted.isEmpty ? text[..<end].last == 0x0A : edit.inserted.last == 0x0A
      // A line that only gets a new one behind it stays the same.
      let isWithin = edit.offset > 0 && text[edit.offset - 1] != 0x0A
      let beginsNext = isWithin && edit.removed == 0 && edit.inserted.first == 0x0A
      let all = max(1, feeds + (endsLine ? 0 : 1) - (beginsNext ? 1 : 0))
      count += edit.offset < counted ? all - 1 : all
      counted = endsLine ? end : text[end...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count + 1
    }
    return count
  }
}

extension DraftEdit {
  /// Edits that make a part of a text new, in the order of their places, which are those of the old text. Words that stay
  /// are in none of them, so that a cursor and the steps of an undo history keep their words.
  fileprivate static func making(_ new: ArraySlice<UInt8>, of old: ArraySlice<UInt8>) -> [DraftEdit] {
    let words = TextDiff.words(from: old, to: new)
    // Long parts are not compared by words.
    guard !words.removed.isEmpty || !words.added.isEmpty else { return [changing(old, to: new)].compactMap { $0 } }
    var (removed, added) = (words.removed[...], words.added[...])
    var (place, other) = (0, 0)
    var edits: [DraftEdit] = []
    while let step = [removed.first.map { $0.lowerBound - place }, added.first.map { $0.lowerBound - other }]
      .compactMap({ $0 }).min()
    {
      (place, other) = (place + step, other + step)
      let cut = removed.first?.lowerBound == place ? removed.removeFirst() : place..<place
      let put = added.first?.lowerBound == other ? added.removeFirst() : other..<other
      (place, other) = (cut.upperBound, put.upperBound)
      let edit = changing(
        old[(old.startIndex + cut.lowerBound)..<(old.startIndex + cut.upperBound)],
        to: new[(new.startIndex + put.lowerBound)..<(new.startIndex + put.upperBound)])
      if let edit { edits.append(edit) }
    }
    return edits
  }

  /// Without the characters with which both begin and end; nil for equal texts.
  private static func changing(_ old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>) -> DraftEdit? {
    guard old != new else { return nil }
    func isWithin(_ byte: UInt8?) -> Bool { byte.map { $0 & 0xC0 == 0x80 } ?? false }
    var start = zip(old, new).prefix { $0 == $1 }.count
    while start > 0, isWithin(old.dropFirst(start).first) || isWithin(new.dropFirst(start).first) { start -= 1 }
    let (left, right) = (old.dropFirst(start), new.dropFirst(start))
    var end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
    while end > 0, isWithin(left.suffix(end).first) { end -= 1 }
    return DraftEdit(
      offset: left.startIndex, removed: left.count - end, inserted: Array(right.dropLast(end)))
  }
}

extension NotesService {
  /// Reads a note again whose text is being edited, after its saves in progress. Without a `base` it is the one of the
  /// editor's draft.
  /// - Throws: `notFound`; otherwise as `open`.
  public func newer(
    _ path: StorePath, base: [UInt8]?, draft: Draft.ID?
  ) async throws(StoreError) -> NewerNote {
    await sending.wait(for: path)
    guard case (let text?, let entry?) = try await readTheirs(path) else {
      throw StoreError(.notFound, "\"\(path)\" was deleted or renamed.", path: path)
    }
    var base = base
    if base == nil, let draft { base = try await drafts.baseText(ofDraft: draft) }
    return NewerNote(entry, text: text, writer: await writer(of: entry), base: base)
  }
}
