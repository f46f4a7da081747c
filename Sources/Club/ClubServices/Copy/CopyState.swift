internal import Database
internal import FileStores

/// The memory of a local copy. Its files, waiting changes and log change by a `CopyPlan` alone.
struct CopyState: Sendable {
  var loading: Task<Void, Never>?
  /// The reading of the names, which comes first; nil once the copy is in memory.
  var naming: Task<[FileEntry]?, Never>?
  private(set) var head: CopyHead?
  /// The store's files as this machine last knew them.
  private(set) var base = CopiedFiles()
  /// Files that the store no longer lists, until the member agrees to the removal.
  private(set) var held: Set<StorePath> = []
  /// Changes of names that wait to be sent.
  private(set) var waiting = WaitingNames([])
  /// Waiting changes with damaged rows, which are shown and not sent.
  private(set) var damaged: [ChangeRecord] = []
  /// Files whose present revision is unknown, because a write met another one.
  private(set) var doubtful: Set<StorePath> = []
  /// Files of answers that came after others' changes: they may have been gone before those. The next changes tell.
  private(set) var unsure: [StorePath: FileEntry] = [:]
  /// The cursor from before the requests of those answers.
  private var unsureSince: ChangeCursor?
  /// The revisions that others have written over while changes wait.
  var written = WrittenRevisions()
  private(set) var log = CopyLog()
  private(set) var lateness: String?
  /// The number of times that the cursor has become an earlier one.
  private(set) var setbacks = 0
  /// True after the first answer of the store to this process.
  private(set) var isRefreshed = false
  /// True if this process got something from the copy because the store was away.
  var hasServedOld = false
  /// True if a list of this process had only the notes at the top of the club, because the store was away.
  var hasServedTop = false
  /// Pages of listings that are being read, by list, and the copy's cursor before the first request.
  var gathered: [String: (entries: [FileEntry], since: CopyPlace?)] = [:]
  /// Lists that this process has had.
  var given: Set<CopiedList> = []
  /// The files in the trash as the store last listed them, newest first; nil until they are needed.
  var trashed: [TrashedFile]?
  /// True after a write of them failed or their account became another: the next write writes all.
  var isTrashBehind = false
  /// The ids that moves to the trash got when they were sent, by the number of the change.
  var sentTrash: [Int64: TrashedFile.ID] = [:]
  /// Reasons of changes that could not be sent.
  var refusals: [StoreError] = []
  /// The kept texts; nil until they are needed.
  var texts: KeptTexts?
  /// The number of searches that read texts.
  var searches = 0
  /// True if reading ahead has stopped for them.
  var hasGivenWay = false

  /// Takes the copy as the disk has it.
  mutating func begin(_ head: CopyHead, _ files: (entries: [FileEntry], held: Set<StorePath>)) {
    self.head = head
    (base, held) = (CopiedFiles(ordered: files.entries), files.held)
  }

  /// The head for the disk: a process that knows nothing of the files that are unsure asks for their changes again.
  var kept: CopyHead? {
    var kept = head
    if let unsureSince { kept?.cursor = unsureSince }
    return kept
  }

  /// Carries out a plan in memory and in the log.
  mutating func apply(_ plan: CopyPlan) {
    if let head = plan.head {
      if head.account != self.head?.account { isTrashBehind = true }
      self.head = head
    }
    if plan.isSetBack { setbacks += 1 }
    if plan.isAnswer { (isRefreshed, hasServedOld) = (true, false) }
    var touched = plan.files.lost + plan.files.present.map(\.path)
    let names = plan.waiting.map { WaitingNames($0) }
    // All files of a folder get other names with it.
    let movesFolders = names.map { waiting.differsInFolders(from: $0) } ?? false
    let before = movesFolders ? waiting.local(base) : []
    if !waiting.isEmpty {
      written.take(plan.files.present, over: base)
    } else if !written.isEmpty {
      written = WrittenRevisions()
    }
    for path in touched + plan.files.held { unsure[path] = nil }
    // Changes that come late by themselves tell nothing by their silence.
    if let since = plan.since?.cursor, since != head?.cursor, lateness == nil {
      for entry in plan.files.present where base[entry.path] == nil { unsure[entry.path] = entry }
      unsureSince = unsureSince ?? since
    }
    // Behind a lost cursor all is listed anew.
    if unsure.isEmpty || plan.isSetBack && head?.cursor == LocalCopy.lostCursor { unsureSince = nil }
    base.change(present: plan.files.present, lost: plan.files.lost)
    held.subtract(touched)
    held.formUnion(plan.files.held)
    doubtful.subtract(plan.files.present.map(\.path))
    doubtful.formUnion(plan.doubtful)
    if let changes = plan.waiting, let names {
      touched = WaitingNames.touched(from: waiting.changes, to: changes) + touched
      waiting = names
      damaged = changes.filter(\.isDamaged)
    }
    if let ended = plan.ended.flatMap({ waiting.end($0) }) {
      touched = [ended.path] + (ended.target.map { [$0] } ?? []) + touched
    }
    if movesFolders { touched += CopyState.differing(before, waiting.local(base)) }
    // Renamed files of the member are reported at their new place, too.
    touched += touched.compactMap { path in waiting.shown(path).flatMap { $0 == path ? nil : $0 } }
    if let lateness = plan.lateness {
      if lateness != self.lateness { log.add([.lateness]) }
      self.lateness = lateness
    }
    log.add(touched: touched)
    log.add(plan.others)
  }

  /// The paths that one of two listings lacks, or has with another file.
  private static func differing(_ old: [FileEntry], _ new: [FileEntry]) -> [StorePath] {
    let before = Dictionary(old.map { ($0.path, $0) }) { _, last in last }
    let paths = new.filter { before[$0.path] != $0 }.map(\.path)
    let kept = Set(new.map(\.path))
    return paths + old.map(\.path).filter { !kept.contains($0) }
  }
}

/// A change of a local copy. Deciding it has no effect; `LocalCopy.apply` alone carries it out.
struct CopyPlan: Sendable {
  /// The files that the store has, has no longer, or has no longer without the member's agreement.
  var files = SyncPlanner.Plan()
  /// The place in the store's changes before the request whose answer the files are; nil if they are no such answer.
  var since: CopyPlace?
  /// The head from now on; nil for the one before.
  var head: CopyHead?
  /// True if the cursor of `head` is an earlier one.
  var isSetBack = false
  /// The changes of names that wait from now on, as the outbox has them; nil for those before.
  var waiting: [ChangeRecord]?
  /// A change that no longer waits; all others wait as before.
  var ended: Int64?
  /// Files whose present revision is unknown from now on.
  var doubtful: Set<StorePath> = []
  /// Changes outside of the copy's lists, for its readers.
  var others: [CopyLog.Item] = []
  /// If changes arrive late, and why; nil if that is as before.
  var lateness: String??
  /// True if the store has answered with its lists or its changes.
  var isAnswer = false

  /// True if readers need not look again and the disk has it.
  var isEmpty: Bool {
    files == SyncPlanner.Plan() && head == nil && waiting == nil && ended == nil && doubtful.isEmpty
      && others.isEmpty && lateness == nil && !isAnswer
  }
}

/// A place in the store's changes up to which the copy was complete, until the cursor becomes an earlier one.
struct CopyPlace: Sendable {
  let cursor: ChangeCursor
  let setbacks: Int
}

/// The changes of the copy, for readers with their own cursors. Readers with an old cursor must list again.
struct CopyLog: Sendable {
  enum Item: Sendable {
    /// Look at the path again.
    case touched(StorePath)
    /// A change outside of the copy's lists.
    case other(ChangeSet.Change)
    /// Changes arrive late from now on, or no longer.
    case lateness
  }

  private static let most = 50_000

  private(set) var items: [Item] = []
  /// The number of the first item.
  private(set) var first = 0
  /// Readers before this number must list again.
  private(set) var floor = 0
  var end: Int { first + items.count }

  mutating func add(_ new: [Item]) {
    items += new
    guard items.count > CopyLog.most else { return }
    first = end
    floor = first
    items = []
  }

  mutating func add(touched paths: [StorePath]) { add(paths.map { .touched($0) }) }
}

extension WaitingNames {
  /// True if the two do not move the same folders.
  func differsInFolders(from other: WaitingNames) -> Bool {
    func moves(_ names: WaitingNames) -> [[StorePath?]] {
      names.changes.filter { $0.kind == .moveFolder }.map { [$0.path, $0.target] }
    }
    return moves(self) != moves(other)
  }

  /// The paths whose look differs between two lists of waiting changes.
  static func touched(from old: [ChangeRecord], to new: [ChangeRecord]) -> [StorePath] {
    func others(_ changes: [ChangeRecord], than known: [ChangeRecord]) -> [ChangeRecord] {
      let known = Dictionary(known.map { ($0.id, $0) }) { _, last in last }
      return changes.filter { known[$0.id]?.path != $0.path || known[$0.id]?.target != $0.target }
    }
    return (others(old, than: new) + others(new, than: old)).flatMap { change in
      [change.path] + (change.target.map { [$0] } ?? [])
    }
  }
}

/// The kept texts of a copy: their revisions and the sum of their bytes.
struct KeptTexts: Sendable {
  private var texts: [StorePath: (revision: Revision, bytes: Int)]
  private(set) var bytes: Int

  init(_ texts: [StorePath: (revision: Revision, bytes: Int)] = [:]) {
    self.texts = texts
    bytes = texts.values.reduce(0) { $0 + $1.bytes }
  }

  var count: Int { texts.count }

  subscript(path: StorePath) -> Revision? { texts[path]?.revision }

  /// The sum of bytes with another text of a path.
  func bytes(with count: Int, at path: StorePath) -> Int { bytes + count - (texts[path]?.bytes ?? 0) }

  mutating func keep(_ count: Int, of revision: Revision, at path: StorePath) {
    bytes = bytes(with: count, at: path)
    texts[path] = (revision, count)
  }

  mutating func move(_ text: MovedText) {
    guard let kept = texts.removeValue(forKey: text.path) else { return }
    forget(text.target)
    texts[text.target] = (text.revision, kept.bytes)
  }

  mutating func forget(_ path: StorePath) { bytes -= texts.removeValue(forKey: path)?.bytes ?? 0 }
}
