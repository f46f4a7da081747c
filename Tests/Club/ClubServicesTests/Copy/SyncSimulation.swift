import Basics
import Database
import FileStores
import Merge
import TestKit

@testable import ClubServices

/// Members who write, rename and delete notes on machines that crash and lose the network, with a server that loses
/// answers. The decisions are those of `SyncPlanner` and `WaitingNames`; the rest is a model. One seed gives one trace.
struct SyncSimulation {
  private(set) var server: SimulatedServer
  private(set) var clients: [SimulatedClient]
  /// Every word that a machine has acknowledged.
  private(set) var acknowledged: [String] = []
  /// FNV-1a over all events.
  private(set) var trace = FNV1a()
  /// Renames of a file that no member meant.
  private(set) var strayed: [String] = []
  /// Texts that were merged into a file that their member did not mean.
  private(set) var strayedTexts: [String] = []
  private var random: SeededNumbers
  private var lastWord = 0
  private var lastSave = 0
  private let hasFolders: Bool

  init(seed: UInt64, hasFolders: Bool = false) {
    random = SeededNumbers(seed)
    self.hasFolders = hasFolders
    server = SimulatedServer(renamesRevise: random.below(2) == 0)
    clients = (0..<(2 + random.below(4))).map { SimulatedClient($0) }
    for number in 0..<10 {
      _ = server.put(Array("line 0 of note \(number)\n".utf8), at: somePath(number), over: nil, by: 9)
    }
  }

  /// With folders, in one of a few, which may lie in each other, or at the top.
  private mutating func somePath(_ number: Int? = nil) -> StorePath {
    let name = "n\(number ?? random.below(14))"
    guard hasFolders, random.below(4) > 0 else { return SyncSimulation.path(name) }
    return someFolder().descending(Array("\(name).md".utf8)[...])
  }

  private mutating func someFolder() -> StorePath {
    let name = Array("f\(random.below(4))".utf8)
    guard random.below(3) == 0 else { return StorePath.root.descending(name[...]) }
    return StorePath.root.descending((Array("g\(random.below(2))/".utf8) + name)[...])
  }

  private static func path(_ name: String) -> StorePath {
    do throws(StoreError) {
      return try StorePath(name + ".md")
    } catch {
      return .root
    }
  }

  mutating func run(_ operations: Int) {
    for _ in 0..<operations { step() }
  }

  private mutating func step() {
    let client = random.below(clients.count)
    switch random.below(100) {
    case 0..<34: edit(client)
    case 34..<38: create(client)
    case 38..<41 where hasFolders: renameFolder(client)
    case 38..<46: rename(client)
    case 46..<50: trash(client)
    case 50..<53:
      clients[client].crash()
      note("crash \(client)")
    case 53..<60:
      clients[client].isConnected.toggle()
      note("network \(client) \(clients[client].isConnected)")
    case 60..<65: clients[client].sync()
    case 65: if random.below(8) == 0 { server.forgetChanges() }
    default: talk(client)
    }
  }

  private mutating func note(_ event: String) { trace.add(event.utf8) }

  // MARK: - What a member does

  private mutating func newWord() -> String {
    lastWord += 1
    return "word\(lastWord)."
  }

  /// The text that the member sees, its base and the texts that it was made from.
  private func seen(_ path: StorePath, by client: Int) -> (save: SimulatedClient.Save?, base: Int?, text: [UInt8])? {
    if let save = clients[client].saves.last(where: { $0.path == path }) { return (save, save.base, save.text) }
    guard let entry = clients[client].local[path], let revision = entry.revision.flatMap({ Int($0.value) }),
      let text = server.history[revision]
    else { return nil }
    return (nil, revision, text)
  }

  private mutating func edit(_ client: Int) {
    let shown = clients[client].shown
    guard !shown.isEmpty else { return }
    let path = shown[random.below(shown.count)]
    guard let (earlier, base, text) = seen(path, by: client) else { return }
    let word = newWord()
    var lines = text.split(separator: 0x0A).map(Array.init)
    // A long note begins anew, with a line that no other note has; its old text is a revision of the server.
    if earlier == nil, lines.count > 30 { lines = [Array("line 0 before \(word)".utf8)] }
    lines.insert(Array(word.utf8), at: random.below(lines.count + 1))
    let new = Array(lines.joined(separator: [0x0A])) + [0x0A]
    lastSave += 1
    var save = SimulatedClient.Save(
      id: lastSave, path: path, base: base, baseText: text, text: new, ancestors: [text],
      identity: base.flatMap { server.identities[$0] })
    if case .at(let place) = clients[client].names.origin(of: path), earlier == nil, let identity = save.identity {
      clients[client].places[identity, default: []].insert(place)
    }
    if let earlier {
      (save.baseText, save.ancestors) = (earlier.baseText, earlier.ancestors + [earlier.text])
      clients[client].saves.removeAll { $0.id == earlier.id }
    }
    clients[client].saves.append(save)
    acknowledged.append(word)
    note("edit \(client) \(path) \(word)")
  }

  private mutating func create(_ client: Int) {
    let path = somePath()
    guard clients[client].local[path] == nil, !clients[client].saves.contains(where: { $0.path == path }) else {
      return
    }
    let word = newWord()
    lastSave += 1
    clients[client].saves.append(
      SimulatedClient.Save(
        id: lastSave, path: path, base: nil, baseText: [], text: Array("\(word)\n".utf8), ancestors: []))
    acknowledged.append(word)
    note("create \(client) \(path) \(word)")
  }

  private mutating func rename(_ client: Int) {
    let shown = clients[client].shown
    guard !shown.isEmpty else { return }
    let path = shown[random.below(shown.count)]
    let target = somePath()
    let state = clients[client]
    guard path != target, state.local[target] == nil, !state.saves.contains(where: { $0.path == target }) else {
      return
    }
    if let entry = state.local[path] {
      if let earlier = SyncPlanner.takenBack(renaming: path, to: target, among: state.changes) {
        clients[client].changes.removeAll { $0.id == earlier.id }
      } else {
        add(.rename, entry, target: target, client)
      }
    } else if state.saves.contains(where: { $0.path == path && $0.base != nil }) {
      return
    }
    for index in clients[client].saves.indices where clients[client].saves[index].path == path {
      clients[client].saves[index].path = target
    }
    note("rename \(client) \(path) \(target)")
  }

  /// Moves a folder that the member sees, with the texts in it that wait.
  private mutating func renameFolder(_ client: Int) {
    let state = clients[client]
    let folders = state.local.values.filter { $0.kind == .folder }.map(\.path).sorted()
    guard !folders.isEmpty else { return }
    let (path, target) = (folders[random.below(folders.count)], someFolder())
    guard !path.touches(target), state.local[target] == nil else { return }
    let own = state.local.values.filter { $0.kind == .file && $0.path.relative(to: path) != nil }
    let earlier = SyncPlanner.takenBack(renaming: path, to: target, isFolder: true, among: state.changes)
    if let earlier {
      clients[client].changes = SyncPlanner.without(earlier, isGone: false, among: state.changes).changes
        .applied(to: state.changes)
    } else {
      let sample = own.min { $0.path < $1.path }
      clients[client].lastID += 1
      clients[client].changes.append(
        ChangeRecord(
          club: "c", kind: .moveFolder, path: path, target: target, base: sample?.revision,
          baseHash: sample?.contentHash?.hex, size: sample?.size.map { Int64(clamping: $0) },
          created: Timestamp(seconds: 0)
        ).numbered(clients[client].lastID))
    }
    for index in clients[client].saves.indices {
      let old = clients[client].saves[index].path
      clients[client].saves[index].path = old.moved(with: path, to: target) ?? old
    }
    for entry in own { notePlace(of: entry, client) }
    note("rename folder \(client) \(path) \(target)")
  }

  /// Notes that the member has decided about a file at its place at the store.
  private mutating func notePlace(of entry: FileEntry, _ client: Int) {
    guard let identity = entry.revision.flatMap({ Int($0.value) }).flatMap({ server.identities[$0] }) else { return }
    for case .at(let place) in [clients[client].names.origin(of: entry.path)] {
      clients[client].places[identity, default: []].insert(place)
    }
  }

  private mutating func trash(_ client: Int) {
    let shown = clients[client].shown
    guard shown.count > 3 else { return }
    let path = shown[random.below(shown.count)]
    // The waiting texts of the note stay with the member.
    clients[client].dropped += clients[client].saves.filter { $0.path == path }.map(\.text)
    clients[client].saves.removeAll { $0.path == path }
    if let entry = clients[client].local[path] { add(.trash, entry, target: nil, client) }
    note("trash \(client) \(path)")
  }

  private mutating func add(_ kind: ChangeRecord.Kind, _ entry: FileEntry, target: StorePath?, _ client: Int) {
    clients[client].lastID += 1
    let record = ChangeRecord(
      club: "c", kind: kind, path: entry.path, target: target, base: entry.revision,
      baseHash: entry.contentHash?.hex, size: entry.size.map { Int64(clamping: $0) }, created: Timestamp(seconds: 0))
    clients[client].changes.append(record.numbered(clients[client].lastID))
    guard let identity = entry.revision.flatMap({ Int($0.value) }).flatMap({ server.identities[$0] }) else { return }
    clients[client].decided[clients[client].lastID] = identity
    if case .at(let place) = clients[client].names.origin(of: target ?? entry.path) {
      clients[client].places[identity, default: []].insert(place)
    }
  }

  /// Notes an event about a file that is not the meant one, unless that one is gone, or the other one is at a place of it:
  /// then someone has replaced the file, and no program can tell.
  private mutating func check(
    _ there: SimulatedServer.File?, at path: StorePath, is identity: Int?, _ client: Int, _ event: String,
    isName: Bool = true
  ) {
    guard let identity, let there, there.identity != identity,
      clients[client].places[identity]?.contains(path) != true,
      server.files.values.contains(where: { $0.identity == identity })
    else { return }
    let text = "\(event) \(path) is \(there.identity) and not \(identity)"
    if isName {
      strayed.append(text)
    } else if !server.areKin(there.identity, identity) {
      strayedTexts.append(text)
    }
  }

  // MARK: - The network

  private enum Fault { case none, lostRequest, lostAnswer, crash }

  private mutating func fault(_ share: Int) -> Fault {
    switch random.below(share) {
    case 0: .lostRequest
    case 1: .lostAnswer
    case 2: .crash
    default: .none
    }
  }

  /// A client sends what waits, in order, then asks for changes; a fault ends the talk.
  private mutating func talk(_ client: Int, share: Int = 12) {
    guard clients[client].isConnected else { return }
    while let change = clients[client].changes.first {
      guard send(change, client, fault(share)) else { return }
    }
    while let save = clients[client].saves.first {
      guard send(save, client, fault(share)) else { return }
    }
    refresh(client, fault(share))
  }

  /// Sends a change of a name. Returns false if the talk ended.
  private mutating func send(_ change: ChangeRecord, _ client: Int, _ fault: Fault) -> Bool {
    let wasTried = change.isTried
    if let index = clients[client].changes.firstIndex(where: { $0.id == change.id }) {
      clients[client].changes[index].isTried = true
    }
    if fault == .lostRequest { return false }
    let failure: StoreError.Kind?
    let revision = change.base.flatMap { Int($0.value) }
    if change.kind == .rename, let target = change.target {
      let there = server.files[change.path]
      failure = server.move(change.path, to: target)
      if failure == nil {
        check(there, at: change.path, is: clients[client].decided[change.id], client, "rename by \(client):")
      }
    } else if change.kind == .moveFolder, let target = change.target {
      failure = server.move(folder: change.path, to: target)
    } else {
      failure = server.trash(change.path, revision: revision)
    }
    note("send \(client) \(change.kind) \(change.path) \(failure.map { "\($0)" } ?? "done")")
    if fault != .none {
      if fault == .crash { clients[client].crash() }
      return false
    }
    let atTarget = change.kind == .moveFolder ? sample(of: change) : change.target.flatMap { server.entry(at: $0) }
    let verdict =
      failure.map { SyncPlanner.verdict(of: change, failedWith: $0, atTarget: atTarget, wasTried: wasTried) } ?? .done
    switch verdict {
    case .waits: return false
    case .done where change.kind == .moveFolder: moved(change, client)
    case .done:
      clients[client].copy.base[change.path] = nil
      let entry = change.target.flatMap { server.entry(at: $0) }
      if let entry {
        clients[client].copy.base[entry.path] = entry
        if let identity = clients[client].decided[change.id] {
          clients[client].places[identity, default: []].insert(entry.path)
        }
      }
      let plan = SyncPlanner.finished(change, as: entry, among: clients[client].changes)
      clients[client].changes = plan.applied(to: clients[client].changes)
    case .refused:
      let source = server.entry(at: change.path)
      let stays =
        change.kind == .moveFolder
        ? server.contents(of: change.path).contains { SyncPlanner.isSame(change, $0) }
        : source.map { SyncPlanner.isSame(change, $0) } ?? false
      let isGone = failure == .notFound || wasTried && !stays
      let plan = SyncPlanner.without(change, isGone: isGone, among: clients[client].changes).changes
      clients[client].changes = plan.applied(to: clients[client].changes)
      for index in clients[client].saves.indices {
        let path = clients[client].saves[index].path
        clients[client].saves[index].path = plan.texts[path] ?? path
      }
    }
    return true
  }

  /// As `LocalCopy` finds out where a folder is.
  private func sample(of change: ChangeRecord) -> FileEntry? {
    func found(_ folder: StorePath) -> FileEntry? {
      server.contents(of: folder).first { $0.kind == .file && SyncPlanner.isSame(change, $0) }
    }
    guard change.baseHash != nil, found(change.path) == nil else { return nil }
    return change.target.flatMap(found)
  }

  /// As `LocalCopy` ends the move of a folder.
  private mutating func moved(_ change: ChangeRecord, _ client: Int) {
    guard let target = change.target else { return }
    for path in clients[client].copy.base.keys where change.takes(path) != nil || change.source(of: path) != nil {
      clients[client].copy.base[path] = nil
    }
    let now = server.contents(of: target)
    for entry in now + server.contents(of: change.path) { clients[client].copy.base[entry.path] = entry }
    for entry in now {
      guard let identity = server.files[entry.path]?.identity else { continue }
      clients[client].places[identity, default: []].insert(entry.path)
    }
    let plan = SyncPlanner.finished(change, now: now, among: clients[client].changes)
    clients[client].changes = plan.applied(to: clients[client].changes)
  }

  /// Sends a text: over its base, merged with a newer one, or as a conflicted copy. Returns false if the talk ended.
  private mutating func send(_ save: SimulatedClient.Save, _ client: Int, _ fault: Fault) -> Bool {
    if fault == .lostRequest { return false }
    var save = save
    for _ in 0..<4 {
      let failure = server.put(save.text, at: save.path, over: save.base, by: client)
      note("put \(client) \(save.path) \(failure.map { "\($0)" } ?? "done")")
      if fault == .crash || fault == .lostAnswer {
        if fault == .crash { clients[client].crash() }
        return false
      }
      guard failure != nil else { return taken(save, at: save.path, client) }
      guard let theirs = server.files[save.path] else { return copied(save, client) }
      if theirs.text == save.text { return taken(save, at: save.path, client) }
      if save.ancestors.contains(theirs.text) {
        save.base = theirs.revision
        continue
      }
      let merge = TextMerge(base: save.baseText, mine: save.text, theirs: theirs.text)
      guard save.base != nil, let both = merge.text else { return copied(save, client) }
      check(theirs, at: save.path, is: save.identity, client, "text of \(client):", isName: false)
      // The merge is durable over the newer text before it is sent.
      (save.text, save.base, save.baseText) = (both, theirs.revision, theirs.text)
      save.ancestors.append(theirs.text)
      if let index = clients[client].saves.firstIndex(where: { $0.id == save.id }) {
        clients[client].saves[index] = save
      }
    }
    return false
  }

  private mutating func copied(_ save: SimulatedClient.Save, _ client: Int) -> Bool {
    let copy = SyncSimulation.path("\(save.path) (m\(client) \(save.id))")
    server.keep(save.text, at: copy, of: save.identity, by: client)
    return taken(save, at: copy, client)
  }

  private mutating func taken(_ save: SimulatedClient.Save, at path: StorePath, _ client: Int) -> Bool {
    if let entry = server.entry(at: path) { clients[client].copy.base[path] = entry }
    clients[client].saves.removeAll { $0.id == save.id }
    return true
  }

  private mutating func refresh(_ client: Int, _ fault: Fault) {
    if fault == .lostRequest || fault == .lostAnswer { return }
    let state = clients[client].copy
    let plan: SyncPlanner.Plan
    if let cursor = state.cursor, let changes = server.changes(since: cursor) {
      plan = SyncPlanner.plan(changes: changes, of: { _ in true }, base: state.base, held: state.held)
    } else {
      plan = SyncPlanner.plan(listing: server.listing, of: { _ in true }, base: state.base, held: state.held)
    }
    for path in plan.lost {
      clients[client].copy.base[path] = nil
      clients[client].copy.held.remove(path)
    }
    for entry in plan.present {
      clients[client].copy.base[entry.path] = entry
      clients[client].copy.held.remove(entry.path)
    }
    clients[client].copy.held.formUnion(plan.held)
    clients[client].copy.cursor = server.log.count
    note("refresh \(client) \(plan.present.count) \(plan.lost.count) \(plan.held.count)")
    if fault == .crash { clients[client].crash() }
  }

  // MARK: - The end

  /// All machines are online without faults until nothing waits; members agree to removals.
  mutating func settle() {
    for _ in 0..<4 {
      for client in clients.indices {
        clients[client].isConnected = true
        talk(client, share: .max)
        for path in clients[client].copy.held { clients[client].copy.base[path] = nil }
        clients[client].copy.held = []
      }
    }
  }

  /// The words that are nowhere.
  var lostWords: [String] {
    var words: Set<String> = []
    for text in server.history.values.map({ $0 }) + clients.flatMap(\.dropped)
      + clients.flatMap({ $0.saves.map(\.text) })
    {
      for line in text.split(separator: 0x0A) { words.insert(String(decoding: line, as: UTF8.self)) }
    }
    return acknowledged.filter { !words.contains($0) }
  }

  /// The machines whose files differ from the server's.
  var apart: [Int] {
    let files = server.listing.map(\.path)
    return clients.indices.filter { index in
      let client = clients[index]
      let revisions = client.local.mapValues(\.revision)
      return client.local.keys.sorted() != files || !client.changes.isEmpty || !client.saves.isEmpty
        || server.listing.contains { revisions[$0.path] != $0.revision }
    }
  }
}
