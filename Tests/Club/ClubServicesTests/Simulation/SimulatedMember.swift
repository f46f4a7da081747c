import Basics
import FileStores
import TestKit

@testable import ClubServices

/// The actions of a member at a machine. Each runs to its end, or until the process dies.
struct SimulatedMember: Sendable {
  enum Action: CaseIterable, Sendable {
    case edit, leave, append, create, rename, trash, restore, send, names, refresh, agree, remark, moveFolder
  }

  let process: SimulatedProcess
  var random: SeededNumbers

  private var notes: NotesService { process.notes }
  private var ledger: WordLedger { process.ledger }
  private var isAlive: Bool { !process.link.isDead }

  private func note(_ event: String) {
    if isAlive { ledger.note("m\(process.link.machine) \(event)") }
  }

  mutating func act(_ action: Action) async {
    do throws(StoreError) {
      switch action {
      case .edit: try await edit(saves: true)
      case .leave: try await edit(saves: false)
      case .append: try await append()
      case .create: try await create()
      case .rename: try await rename()
      case .trash: try await trash()
      case .restore: try await restore()
      case .send: try await send()
      case .names: note("sees \(try await names().count)")
      case .refresh:
        try await process.copy.refresh()
        note("refreshed")
      case .agree: note("agrees to \(await process.copy.acceptRemoval())")
      case .remark: try await remark()
      case .moveFolder: try await moveFolder()
      }
    } catch {
      note("\(action): \(error.kind)")
    }
  }

  private func names() async throws(StoreError) -> [StorePath] {
    var paths: [StorePath] = []
    try await notes.names { paths += $0.notes.map(\.path) }
    return paths.sorted()
  }

  /// A note that the list shows, which has no talk files.
  private mutating func choose() async throws(StoreError) -> StorePath? {
    let all = process.copy.entries(of: process.copy.noteList)?.filter { $0.kind == .file }.map(\.path)
    var paths = all ?? []
    if all == nil { paths = try await names() }
    paths.removeAll { Talk.isNamed($0) }
    return paths.isEmpty ? nil : paths[random.below(paths.count)]
  }

  // MARK: - Texts

  private mutating func edit(saves: Bool) async throws(StoreError) {
    guard let path = try await choose() else { return }
    let note = try await notes.open(path)
    guard note.content == .text else { return }
    var text = note.bytes
    let draft = process.drafts.begin(path, title: "", base: note.entry.revision, text: text)
    var typed: [String] = []
    for _ in 0...random.below(3) {
      let edit = change(text, &typed)
      process.drafts.record([edit], in: draft)
      text.replaceSubrange(edit.offset..<(edit.offset + edit.removed), with: edit.inserted)
    }
    self.note("types \(typed) in \(path)")
    if random.below(3) == 0 || !saves {
      await process.drafts.flush()
      if isAlive, process.drafts.failure.value == nil { ledger.acknowledge(typed) }
    }
    guard saves, isAlive else { return }
    try await take(try await notes.save(path, base: note.entry.revision, text: text, draft: draft), typed)
  }

  /// A line more, a word more in a line, or a line that is removed or written anew.
  private mutating func change(_ text: [UInt8], _ typed: inout [String]) -> DraftEdit {
    var starts = [0]
    for (index, byte) in text.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
    let line = random.below(starts.count)
    let start = starts[line]
    let end = line + 1 < starts.count ? starts[line + 1] : text.count
    let word = ledger.newWord()
    let dice = starts.count > 25 ? 90 : random.below(100)
    func removing() -> Int {
      // The words that were just typed may go, too: they were never acknowledged alone.
      ledger.remove(WordLedger.words(of: Array(text[start..<end])))
      return end - start
    }
    switch dice {
    case 0..<60: break
    case 60..<80 where end > start && text[end - 1] == UInt8(ascii: "\n"):
      typed.append(word)
      return DraftEdit(offset: end - 1, removed: 0, inserted: Array(" \(word)".utf8))
    case 80..<90: return DraftEdit(offset: start, removed: removing(), inserted: [])
    case 90...:
      typed.append(word)
      return DraftEdit(offset: start, removed: removing(), inserted: Array("\(word)\n".utf8))
    default: break
    }
    typed.append(word)
    return DraftEdit(offset: start, removed: 0, inserted: Array("\(word)\n".utf8))
  }

  private mutating func append() async throws(StoreError) {
    guard let path = try await choose() else { return }
    let word = ledger.newWord()
    try await take(try await notes.append(Array("\(word)\n".utf8), to: path), [word])
  }

  private mutating func create() async throws(StoreError) {
    let word = ledger.newWord()
    try await take(try await notes.create(named: "n\(random.below(14))", text: Array("\(word)\n".utf8)), [word])
  }

  /// Leaves a remark, answers one, agrees with one, or takes back or corrects one of this member's own.
  private mutating func remark() async throws(StoreError) {
    guard let path = try await choose() else { return }
    var known: [Talk.Remark] = []
    do throws(StoreError) {
      known = try await notes.talk(about: path).remarks
    } catch {
      // Offline, a member may leave a remark without having seen the others.
      guard error.isTemporary else { throw error }
    }
    let other = known.isEmpty ? nil : known[random.below(known.count)]
    let isOwn = other?.member == "m\(process.link.machine)"
    var (aim, text) = (TalkItem.Aim.whole, ledger.newWord())
    switch (random.below(8), other) {
    case (0...1, let other?): aim = .reply(to: other.id)
    case (2, let other?): (aim, text) = (.agreement(with: other.id), "")
    case (3, let other?) where isOwn: (aim, text) = (.withdrawal(of: other.id), "")
    case (4, let other?) where isOwn: aim = .correction(of: other.id)
    default: break
    }
    let ids = ledger.remarks
    let said = try await notes.say(text, aim, about: path) { ids.newID() }
    guard isAlive else { return }
    ids.acknowledge(said.item.id)
    ledger.tell("remark \(said.item.id) on \(path)")
    try await take(said.outcome, text.isEmpty ? [] : [text])
  }

  /// Notes that byteclub has the words, and decides a conflict.
  private mutating func take(_ outcome: SaveOutcome, _ words: [String]) async throws(StoreError) {
    guard isAlive else { return }
    ledger.acknowledge(words)
    switch outcome {
    case .saved(let entry): note("saved \(entry.path) \(words)")
    case .merged(let merged): note("merged \(merged.entry.path) \(words)")
    case .kept(_, let error): note("kept \(words) \(error.kind)")
    case .deleted(let path): note("deleted \(path)")
    case .conflict(let conflict):
      note("conflict \(conflict.kind) \(conflict.path) \(words)")
      // Now and then the member decides later.
      guard random.below(4) > 0 else { return }
      try await decide(conflict)
    }
  }

  private mutating func decide(_ conflict: SaveConflict) async throws(StoreError) {
    let choice: ConflictChoice
    switch random.below(10) {
    case 0...1: choice = .theirs
    case 2...3:
      let mine = Set(WordLedger.words(of: conflict.mine))
      ledger.remove(WordLedger.words(of: conflict.theirs ?? []).filter { !mine.contains($0) })
      choice = .mine
    default: choice = .both
    }
    ledger.tell(
      "decides \(choice) on \(conflict.path) over \(conflict.theirEntry?.revision?.value ?? "nothing"):"
        + " \(WordLedger.words(of: conflict.mine)), \(WordLedger.words(of: conflict.theirs ?? []))")
    if case .renamed(let entry) = conflict.kind, random.below(2) == 0 {
      return try await take(try await notes.resolve(conflict, .renamed(entry)), [])
    }
    try await take(try await notes.resolve(conflict, choice), [])
  }

  /// Sends all that waits: names first, then saves; drafts of earlier processes are saved.
  private mutating func send() async throws(StoreError) {
    let refused = await notes.sendNames()
    note("sent names, refused \(refused.map(\.kind))")
    for text in try await notes.waiting() where !text.isElsewhere && !text.isOpen && !text.isName {
      if text.kind == .discarded, random.below(6) > 0 { continue }
      do throws(StoreError) {
        let bytes = try await notes.text(of: text.id)
        try await take(try await notes.send(text), [])
        note("sent \(text.kind) \(WordLedger.words(of: bytes).count)")
      } catch {
        note("not sent: \(error.kind)")
        if error.isTemporary { throw error }
      }
    }
  }

  /// As at the end of a simulation: everything is sent, each conflict keeps both.
  func sendAll() async throws(StoreError) -> Bool {
    var isDone = true
    _ = await notes.sendNames()
    for text in try await notes.waiting() where text.kind != .discarded && !text.isName {
      isDone = false
      do throws(StoreError) {
        let outcome = try await notes.send(text)
        ledger.tell("\(text.kind) of \(text.path?.description ?? "nothing"): \(outcome.summary)")
        guard case .conflict(let conflict) = outcome else { continue }
        _ = try await notes.resolve(conflict, .both)
      } catch {
        note("not sent at the end: \(error.kind)")
      }
    }
    await process.copy.acceptRemoval()
    try await process.copy.refresh()
    await process.copy.acceptRemoval()
    return isDone
  }

  // MARK: - Names

  private mutating func rename() async throws(StoreError) {
    guard let path = try await choose() else { return }
    let name = "n\(random.below(14))"
    let entry = try await notes.rename(path, to: name, seen: process.copy.entry(at: path))
    note("renamed \(path) to \(entry.path)")
  }

  /// Moves a folder that the member sees to one of a few names, which may lie in another folder.
  private mutating func moveFolder() async throws(StoreError) {
    let all = process.copy.entries(of: process.copy.noteList) ?? []
    let folders = all.filter { $0.kind == .folder }.map(\.path)
    guard !folders.isEmpty else { return }
    let folder = folders[random.below(folders.count)]
    let target = try StorePath((random.below(3) == 0 ? "g/" : "") + "f\(random.below(3))")
    let moved = try await notes.moveFolder(folder, to: target)
    note("moved the folder \(folder) to \(moved.to)")
  }

  private mutating func trash() async throws(StoreError) {
    guard let path = try await choose() else { return }
    _ = try await notes.trash(path, seen: process.copy.entry(at: path))
    note("trashed \(path)")
  }

  private mutating func restore() async throws(StoreError) {
    let files = try await notes.trashed()
    guard !files.isEmpty else { return }
    let file = files[random.below(files.count)]
    let entry = try await notes.restore(file.id)
    note("restored \(entry.path)")
  }
}

extension SaveOutcome {
  fileprivate var summary: String {
    switch self {
    case .saved(let entry): "saved \(entry.path)"
    case .merged(let merged): "merged \(merged.entry.path)"
    case .conflict(let conflict): "conflict \(conflict.kind)"
    case .kept(_, let error): "kept \(error.kind)"
    case .deleted(let path): "deleted \(path)"
    }
  }
}
