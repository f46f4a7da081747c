internal import ClubServices
public import FileStores
internal import Imaging
internal import TextUI

/// Files that others added or changed since the member last looked.
extension FileList {
  /// Takes the marks of a comparison, and reports changes that happened just now.
  mutating func take(_ marks: [StorePath: NewsMark], isListed: Bool, _ frame: inout Frame) {
    let fresh = news.add(marks.filter { table?.contains($0.key) != false })
    guard !isListed, let notice = NewsNotice.sentence(fresh, one: words.one, many: words.many) else { return }
    frame.sayNews(notice)
  }

  /// Notes that the member looks at a file.
  mutating func look(at path: StorePath) -> Commands {
    guard let mark = news[path] else { return [] }
    news.see(path, mark.revision)
    return [.run(.see([path: mark.revision], turn: takeTurn()))]
  }

  /// Takes the remarks on the files, and reports new ones that mention the member. After a listing (`isListed`) it reports
  /// those whose photo is gone.
  mutating func take(_ remarks: [StorePath: ListedRemarks], isListed: Bool, _ frame: inout Frame) {
    let fresh = remarks.filter { $0.value.isForMe && self.remarks[$0.key]?.new != $0.value.new }
    self.remarks = remarks
    let alone = remarks.filter { path, remarks in
      remarks.count > 0 && table?.contains(path) == false && PictureFormat.named(path.name) != nil
    }
    // A photo that is renamed or removed now takes its remarks along a moment later.
    let known = orphans
    orphans = isListed ? Set(alone.keys) : known.intersection(alone.keys)
    if let orphanWords, !orphans.isSubset(of: known) {
      frame.sayNews(
        orphanWords
          + (orphans.count > 1
            ? ". \"byteclub talk ls\" names them." : ". \"byteclub talk join\" gives them to another."))
    }
    guard let (path, mine) = fresh.min(by: { $0.key < $1.key }) else { return }
    let more = fresh.count > 1 ? ", and \(fresh.count - 1) more do" : ""
    frame.sayNews("A remark on \"\(path)\" mentions you\(more). The last one is by \(mine.last).")
  }

  /// nil if each photo with remarks is there.
  var orphanWords: String? {
    guard let path = orphans.first else { return nil }
    return orphans.count > 1
      ? "Remarks without photos: \(orphans.count.grouped)"
      : "Remarks without photo: \(String(decoding: path.name, as: UTF8.self))"
  }

  /// Notes that the member looks at the remarks on a file.
  mutating func lookAtRemarks(on path: StorePath) -> Commands {
    guard var known = remarks[path], let revision = known.new else { return [] }
    (known.new, known.isForMe) = (nil, false)
    remarks[path] = known
    return [.run(.see([known.file: revision], turn: takeTurn()))]
  }

  mutating func count(_ talk: Talk, on path: StorePath) {
    guard table?.contains(path) == true, talk.count > 0 || remarks[path] != nil else { return }
    remarks[path, default: ListedRemarks(count: 0, file: Talk.filePath(of: path))].count = talk.count
  }

  /// Selects the next file with news below the selection, else the first.
  mutating func selectNextNew(_ frame: inout Frame) {
    let remarks = self.remarks.filter { $0.value.new != nil }.map(\.key)
    let files = (news.paths + remarks).compactMap { table?.row(of: $0).map { $0 + albums.count } }
    let counts = albumNews
    let inside = counts.indices.filter { counts[$0] > 0 }
    let rows = Set(files + inside).sorted()
    guard let row = rows.first(where: { $0 > self.rows.selection }) ?? rows.first else {
      return frame.say(
        news.isEmpty && remarks.isEmpty
          ? "Nothing is new."
          : isInAlbum && !find.isActive
            ? "Nothing new is in this \(words.folder). \(frame.keys.name(of: .albumsLeave)) leaves it."
            : "Nothing new is in the list. Esc shows all.")
    }
    find.keepChoice()
    select(row)
  }

  /// Marks everything as seen.
  mutating func seeAll(_ frame: inout Frame) -> Commands {
    let all = news.seeAll()
    guard !all.isEmpty else {
      frame.say("Nothing is new.")
      return []
    }
    frame.undo.add(.see(all), list: words.many)
    frame.say("Marked \(words.count(all.count)) as seen. \(frame.keys.name(of: .undo)) undoes.")
    return [.run(.see(all.mapValues(\.revision), turn: takeTurn()))]
  }

  /// The effect that undoes a step of this list.
  mutating func undoing(_ step: UndoStep) -> FileListEffect {
    switch step {
    case .see: .undo(step, turn: takeTurn())
    case .moveFolder(let moved): .undo(step, seen: table?.files(below: moved.to) ?? [])
    default: .undo(step)
    }
  }

  /// The turn of the next change of marks.
  private mutating func takeTurn() -> Int {
    lastTurn += 1
    return lastTurn
  }

  /// Brings marks back that `seeAll` has removed, except for files that are gone.
  mutating func unsee(_ marks: [StorePath: NewsMark]) {
    news.unsee(marks.filter { table?.contains($0.key) != false })
  }
}

/// The remarks on a file of a list.
public struct ListedRemarks: Sendable, Hashable {
  public var count: Int
  /// The member of the last one.
  public var last = ""
  public var file: StorePath
  /// The revision that this member has not seen; nil if nothing is new.
  public var new: Revision?
  /// A new remark mentions this member.
  public var isForMe = false

  /// The count, with a symbol; empty for no remarks.
  func label(isASCII: Bool) -> String { count == 0 ? "" : "\(Symbol.remark.scalar(isASCII: isASCII))\(count)" }

  /// The mark of a file with new remarks.
  func newMark(isASCII: Bool) -> String? {
    new == nil ? nil : isForMe ? "@" : String(Symbol.remark.scalar(isASCII: isASCII))
  }

  /// The count in words; empty for no remarks.
  var words: String { count == 0 ? "" : "\(count.grouped) \(count == 1 ? "remark" : "remarks")" }
}

/// A sentence about changes by others.
enum NewsNotice {
  /// Everything new, by its authors; nil if there is nothing. `key` leads there.
  static func summary(_ marks: [NewsMark], key: String) -> String? {
    guard !marks.isEmpty else { return nil }
    let counts = Dictionary(grouping: marks, by: \.member).mapValues(\.count)
    let named = counts.compactMap { member, count in member.map { (name: $0, count: count) } }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    var parts = named.prefix(3).map { "\($0.name) \($0.count.grouped)" }
    let others = marks.count - named.prefix(3).reduce(0) { $0 + $1.count }
    if others > 0, !parts.isEmpty { parts.append("others \(others.grouped)") }
    return "\(marks.count.grouped) new" + (parts.isEmpty ? "." : ": \(parts.joined(separator: ", ")).")
      + " \(key) goes there."
  }

  /// Nil without changes.
  static func sentence(_ marks: [StorePath: NewsMark], one: String, many: String) -> String? {
    guard let (path, mark) = marks.first else { return nil }
    guard marks.count > 1 else {
      guard let member = mark.member else { return "\"\(path)\" \(mark.isAdded ? "is new" : "has changed")." }
      return "\(member) \(mark.isAdded ? "added" : "changed") \"\(path)\"."
    }
    let added = marks.values.count { $0.isAdded }
    let verb = added == marks.count ? "added" : added == 0 ? "changed" : "added or changed"
    let count = "\(marks.count.grouped) \(many)"
    let members = Set(marks.values.map(\.member)).sorted { ($0 ?? "") < ($1 ?? "") }
    let names = members.compactMap { $0 }
    guard names.count == members.count else { return "Others \(verb) \(count)." }
    switch names.count {
    case 1: return "\(names[0]) \(verb) \(count)."
    case 2: return "\(names[0]) and \(names[1]) \(verb) \(count)."
    default: return "\(names.count) members \(verb) \(count)."
    }
  }
}
