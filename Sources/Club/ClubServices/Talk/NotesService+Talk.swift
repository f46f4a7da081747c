internal import Basics
import Database
internal import Synchronization
public import FileStores

/// Remarks are added as `append` adds: durable before the store is asked, never over another member's.
extension NotesService {
  /// The remarks on a note or photo, with those that wait on this machine; empty without any.
  /// - Throws: `tooLarge` above `Talk.mostBytes`; errors of the store.
  public func talk(about thing: StorePath) async throws(StoreError) -> Talk {
    try await talk(about: thing, revision: nil)
  }

  /// `revision` is that of the talk file in a listing.
  func talk(about thing: StorePath, revision: Revision?) async throws(StoreError) -> Talk {
    try await talkFile(of: thing, revision: revision).map { Talk($0) } ?? .none
  }

  /// As `talk`, with the authors of the versions that brought the lines, or the reason why they are unknown
  /// (`uncompared`); nil where versions have no authors.
  /// - Throws: as `talk`; `cancelled`.
  public func checkedTalk(about thing: StorePath) async throws(StoreError) -> Talk? {
    guard store.capabilities.revisions != nil else { return nil }
    var authors: [String: [String?]] = [:]
    var failure: StoreError?
    do throws(StoreError) {
      authors = try await talkAuthors(try Talk.path(of: thing))
    } catch {
      if error.kind == .cancelled { throw error }
      // The first remark may wait on this machine.
      guard error.kind != .notFound, error.kind != .unsupported else { return nil }
      failure = error
    }
    guard !authors.isEmpty || failure != nil else { return nil }
    do throws(StoreError) {
      return try await talkFile(of: thing).map { Talk($0, authors: authors, failure: failure) }
    } catch {
      // The caller has the remarks without the comparison.
      guard failure != nil, error.kind != .cancelled else { throw error }
      return nil
    }
  }

  /// Of the lines of a talk file; found out once for each revision.
  private func talkAuthors(_ path: StorePath) async throws(StoreError) -> [String: [String?]] {
    if club.talkTexts.has(path), let revision = try await store.entry(at: path).revision,
      let known = club.talkTexts.authors(of: path, revision)
    {
      return known
    }
    let blame = try await blame(path, takesAnyBytes: true)
    if let revision = blame.versions.first?.revision { club.talkTexts.keep(blame.authors, of: path, revision) }
    return blame.authors
  }

  /// The name that this member's remarks get.
  public func memberName() async -> String { await club.spokenName() }

  /// The remarks at their places in a note. None if they cannot be read: opening them says why.
  public func remarks(on note: OpenNote) async -> PlacedTalk {
    do throws(StoreError) {
      let talk = try await talk(about: note.entry.path)
      return talk.remarks.isEmpty ? .none : await pool.run { PlacedTalk(talk, in: note.bytes) }
    } catch {
      return .none
    }
  }

  /// As `remarks`, with the names compared; nil if there are none, or names cannot be compared.
  public func checkedRemarks(on note: OpenNote) async -> PlacedTalk? {
    guard !note.remarks.talk.remarks.isEmpty else { return nil }
    do throws(StoreError) {
      guard let talk = try await checkedTalk(about: note.entry.path) else { return nil }
      return await pool.run { PlacedTalk(talk, in: note.bytes) }
    } catch {
      // The remarks are shown as they are; opening them says why.
      return nil
    }
  }

  /// Adds a remark, or a change of one.
  /// - Parameters:
  ///   - draft: of the text. Its item's id comes from it, and an item that an earlier try has added is not added again.
  ///   - id: makes the id of an item without a draft; called again if the file has it.
  /// - Returns: the item, and `saved` or `kept`.
  /// - Throws: `notFound` if the item names no remark; `notPermitted` for a change of another member's; as `append`.
  public func say(
    _ text: String, _ aim: TalkItem.Aim, about thing: StorePath, draft: Draft.ID? = nil,
    id: () -> String = TalkItem.newID
  ) async throws(StoreError) -> (item: TalkItem, outcome: SaveOutcome) {
    let member = await club.spokenName()
    var file: [UInt8]?
    var failure: StoreError?
    do throws(StoreError) {
      file = try await talkFile(of: thing)
    } catch {
      // An addition waits until the server answers; another first line in the middle does no harm.
      guard error.isTemporary || error.kind == .conflict else { throw error }
      failure = error
    }
    let talk = file.map { Talk($0) } ?? .none
    let time = now()
    var number = 0
    func next() -> TalkItem {
      defer { number += 1 }
      let id = draft.map { TalkItem.id(of: $0, number: number) } ?? id()
      return TalkItem(member: member, time: time, id: id, aim: aim, text: text)
    }
    var item = next()
    while let known = talk.item(item.id) {
      if draft != nil, known.isRepeated(by: item) { return (known, try await outcome(of: known, about: thing)) }
      item = next()
    }
    if failure == nil { try NotesService.check(item, talk, thing) }
    let added = (file == nil ? Talk.head(of: thing) : "") + item.markdown
    guard (file?.count ?? 0) + added.utf8.count <= Talk.mostBytes else { throw NotesService.isFull(thing) }
    // The addition takes over the text that came from a pipe.
    let held = self.held.withLock { $0 }
    held?.goes(as: Array(added.utf8))
    let outcome = try await append(Array(added.utf8), to: try Talk.path(of: thing))
    try await held?.remove()
    return (item, outcome)
  }

  /// Of an item that an earlier try has added: the club has it, or it waits and is sent.
  private func outcome(of item: TalkItem, about thing: StorePath) async throws(StoreError) -> SaveOutcome {
    let (path, search) = (try Talk.path(of: thing), ByteSearch(Array(item.markdown.utf8)))
    if let waiting = await saved({ $0.path == path }).last(where: { search.first(in: $0.text[...]) != nil }) {
      do throws(StoreError) {
        return try await sendUnsent(waiting.save.id)
      } catch {
        // It is being sent already, or was meanwhile.
        guard error.kind == .conflict || error.kind == .notFound else { throw error }
      }
    }
    return .saved(FileEntry(path: path, kind: .file))
  }

  private static func check(_ item: TalkItem, _ talk: Talk, _ thing: StorePath) throws(StoreError) {
    guard let target = item.target else { return }
    let door = talk.remark(target) == nil ? talk.door(target) : nil
    guard let owner = talk.remark(target)?.member ?? door?.member else {
      throw StoreError(
        .notFound, "\"\(thing)\" has no remark \(target).",
        remedy: "See the ids with: byteclub talk ls \(thing.shellWord)",
        path: thing)
    }
    switch item.aim {
    case .correction where door?.door.corrected(item.text) != nil: break
    case .correction where door != nil, .reply where door != nil, .agreement where door != nil:
      throw StoreError(
        .badInput, "\(target) is a door of \"\(thing)\", not a remark.",
        remedy: "Withdraw it with: byteclub talk rm \(thing.shellWord) \(target)", path: thing)
    case .correction, .withdrawal:
      guard owner == item.member else {
        throw StoreError(
          .notPermitted, "The \(door == nil ? "remark" : "door") \(target) is by \(owner), and you are \(item.member).",
          remedy: door == nil
            ? "Answer it with: byteclub talk reply \(thing.shellWord) \(target) TEXT" : "Ask \(owner) to withdraw it.",
          path: thing)
      }
    default: break
    }
  }

  private static func isFull(_ thing: StorePath) -> StoreError {
    StoreError(
      .tooLarge, "The remarks on \"\(thing)\" have \(Talk.mostBytes >> 20) MiB, which is the most.",
      remedy: "Write a note, and link \"\(thing)\" in it.", path: thing)
  }

  /// nil if there is none.
  private func talkFile(of thing: StorePath, revision: Revision? = nil) async throws(StoreError) -> [UInt8]? {
    let path = try Talk.path(of: thing)
    var tries = 0
    while true {
      do throws(StoreError) {
        if let own = try await own(path) { return own.bytes }
        return try await club.talkFile(path, revision: revision).bytes
      } catch {
        if error.kind == .notFound { return nil }
        tries += 1
        // Others add remarks meanwhile.
        guard error.kind == .conflict, tries < NotesService.mostReads else { throw error }
      }
    }
  }

  /// The remark that was typed and not sent: the chosen draft, else the newest one. This process owns its draft from now
  /// on; those that another byteclub has open stay there.
  /// - Throws: errors of the outbox.
  public func typedRemark(
    on thing: StorePath, chosen: Draft.ID? = nil
  ) async throws(StoreError) -> (draft: Draft.ID, aim: TalkItem.Aim, text: String)? {
    let found = try await drafts.newest(of: try Talk.path(of: thing), chosen: chosen)
    guard let draft = found, let remark = draft.remark else {
      return nil
    }
    let text = try await drafts.text(of: draft.id)
    try await drafts.adopt(draft.id)
    return (draft.id, remark.aim, String(decoding: text, as: UTF8.self))
  }

  /// The notes and photos with remarks, by path; `isGone` if the club does not have them any more.
  /// - Throws: errors of a listing.
  public func thingsWithTalk() async throws(StoreError) -> [(path: StorePath, isGone: Bool)] {
    let files = Set(try await allFiles(.names).filter { $0.kind == .file }.map(\.path))
    return Set(files.compactMap { Talk.thing(of: $0) }).sorted().map { ($0, !files.contains($0)) }
  }

  /// All files where notes are, and below the photos folder; `known` leaves out the photos of a club that is away if its
  /// copy never had their list.
  func allFiles(_ detail: ListOptions.Detail, known: Bool = false) async throws(StoreError) -> [FileEntry] {
    var files: [FileEntry] = []
    for (folder, options) in [
      (StorePath.root, club.notes.listing(detail)), (club.photosFolder, ListOptions(detail, recursive: true)),
    ] {
      if known, !folder.isRoot, let copy, copy.isAway, !copy.has(.photos) { continue }
      var cursor: ListCursor?
      repeat {
        do throws(StoreError) {
          let page = try await store.list(folder, options, after: cursor)
          files += page.entries.filter { club.notes.isPhotos($0.path.bytes) != folder.isRoot }
          cursor = page.next
        } catch {
          guard error.kind == .notFound, cursor == nil else { throw error }
          cursor = nil
        }
      } while cursor != nil
    }
    return files
  }

  /// Gives the remarks on a thing that is gone to another one, below those that it has. Nothing is lost when it breaks off:
  /// joined again, they count once. Doors that lead to what is gone lead to the other one then.
  /// - Returns: the file that has them now.
  /// - Throws: `notFound` if there are none; `exists` if the thing is there; `badInput` for a file without remarks.
  public func joinTalk(
    ofGone gone: StorePath, to thing: StorePath, id: () -> String = TalkItem.newID
  ) async throws(StoreError) -> StorePath {
    let (old, new) = (try Talk.path(of: gone), try Talk.path(of: thing))
    guard try await talkFile(of: gone) != nil else {
      throw StoreError(
        .notFound, "The club has no remarks on \"\(gone)\".", remedy: "See all with: byteclub talk ls", path: gone)
    }
    guard try await store.entryIfAny(gone) == nil else {
      throw StoreError(
        .exists, "\"\(gone)\" is in the club and keeps its remarks.", remedy: "Rename or remove it first.", path: gone)
    }
    let (bytes, entry) = try await store.readAll(old, limit: Talk.mostBytes)
    // A remark that waited while its thing was renamed makes a file without the first line.
    let (talk, hasHead) = (Talk(bytes), Talk.isTalk(bytes))
    guard hasHead || !talk.remarks.isEmpty || !talk.doors.isEmpty else {
      throw StoreError(
        .badInput, "\"\(old)\" does not begin as remarks do.",
        remedy: "Read it with: byteclub note cat \(old.shellWord)",
        path: old)
    }
    let known = try await talkFile(of: thing)
    if known == nil, hasHead {
      _ = try await store.move(old, to: new, ifRevision: entry.revision)
      await followed(old, to: new)
      try await mendDoors(of: talk, gone, thing, id)
      return new
    }
    let added = (known == nil ? Array(Talk.head(of: thing).utf8) : []) + bytes
    guard (known?.count ?? 0) + added.count <= Talk.mostBytes else { throw NotesService.isFull(thing) }
    if case .kept(_, let error) = try await append(added, to: new) { throw error }
    if let trash = store.capabilities.trash {
      _ = try await trash.discard(old, ifRevision: entry.revision)
    } else {
      try await store.delete(old, ifRevision: entry.revision)
    }
    await followed(old, to: new)
    try await mendDoors(of: talk, gone, thing, id)
    return new
  }

  /// A note has no doors to it.
  private func mendDoors(
    of talk: Talk, _ gone: StorePath, _ thing: StorePath, _ id: () -> String
  ) async throws(StoreError) {
    guard club.notes.isPhotos(thing.bytes) else { return }
    try await mendDoors(
      to: gone, now: thing, in: talk.doors.compactMap { $0.door.target(from: gone) },
      after: "Joined the remarks on \"\(gone)\" to \"\(thing)\"", id)
  }
}

/// A remark that was typed and not sent is a draft of its talk file, without a base; the title has the place.
extension Draft {
  public var remark: (thing: StorePath, aim: TalkItem.Aim)? {
    guard base == nil, let thing = path.flatMap({ Talk.thing(of: $0) }), let aim = Draft.aim(ofTitle: title) else {
      return nil
    }
    return (thing, aim)
  }

  static func aim(ofTitle title: String) -> TalkItem.Aim? {
    guard title.hasPrefix(remarkWord) else { return nil }
    var rest = title.dropFirst(remarkWord.count)
    guard let aim = TalkItem.aim(&rest), rest.isEmpty else { return nil }
    return aim
  }

  private static let remarkWord = "Remark"

  static func title(of aim: TalkItem.Aim) -> String { remarkWord + TalkItem.written(aim) }
}

extension DraftJournal {
  /// As `begin`, for a remark.
  public func begin(_ aim: TalkItem.Aim, on thing: StorePath, text: [UInt8]) -> Draft.ID {
    begin(Talk.filePath(of: thing), title: Draft.title(of: aim), base: nil, text: text)
  }

  public func retitle(_ id: Draft.ID, _ aim: TalkItem.Aim) { retitle(id, Draft.title(of: aim)) }
}
