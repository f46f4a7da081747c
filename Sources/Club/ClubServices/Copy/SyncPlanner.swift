internal import Database
internal import FileStores

/// The decisions about a club behind a network, as pure functions over three trees: the store's files now (`remote`, as
/// listings and changes report them), as this machine last knew them (`base`), and as the member sees them (`local`:
/// `base` with the changes that wait to be sent).
///
/// A file's identity is its path and, across a rename, its revision or content hash: the store contract has no other.
enum SyncPlanner {
  /// A removal by others of more files than this waits for the member's agreement.
  static let mostRemovals = 20
  /// A removal of this share of a club does so, too, unless it concerns fewer files than `leastRemovals`.
  static let largestShare = 4
  static let leastRemovals = 5

  /// True if the removal of `count` of `total` files may be a fault of the server and not an intention.
  static func isSuspicious(removing count: Int, of total: Int) -> Bool {
    count > mostRemovals || (count >= leastRemovals && count * largestShare > total)
  }

  /// The change that a listing or a set of changes makes to `base`.
  struct Plan: Sendable, Equatable {
    var present: [FileEntry] = []
    /// Paths without a file from now on.
    var lost: [StorePath] = []
    /// Paths that the store no longer has, and that stay in `base` until the member agrees.
    var held: [StorePath] = []
  }

  /// Takes a whole listing of a part of the club.
  static func plan(
    listing: [FileEntry], of isPart: (StorePath) -> Bool, base: some FileTree, held: Set<StorePath>
  ) -> Plan {
    var plan = Plan()
    var listed: Set<StorePath> = []
    for entry in listing where isPart(entry.path) {
      listed.insert(entry.path)
      if base[entry.path] != entry || held.contains(entry.path) { plan.present.append(entry) }
    }
    let gone = base.entries.map(\.path).filter { isPart($0) && !listed.contains($0) && !held.contains($0) }
    remove(gone, base: base, held: held, &plan)
    return plan
  }

  /// Takes changes, oldest first. Later changes of a path replace earlier ones.
  static func plan(
    changes: [ChangeSet.Change], of isPart: (StorePath) -> Bool, base: some FileTree, held: Set<StorePath>
  ) -> Plan {
    var now: [StorePath: FileEntry?] = [:]
    for change in changes {
      switch change {
      case .present(let entry): if isPart(entry.path) { now[entry.path] = .some(entry) }
      case .absent(let path) where base[path]?.kind == .file && now[path] == nil: now[path] = .some(nil)
      case .absent(let path):
        for known in base.entries.lazy.map(\.path) where known == path || known.relative(to: path) != nil {
          now[known] = .some(nil)
        }
        for known in now.keys where known == path || known.relative(to: path) != nil { now[known] = .some(nil) }
      }
    }
    var plan = Plan()
    var gone: [StorePath] = []
    for (path, entry) in now.sorted(by: { $0.key < $1.key }) {
      if let entry {
        if base[path] != entry || held.contains(path) { plan.present.append(entry) }
      } else if base[path] != nil, !held.contains(path) {
        gone.append(path)
      }
    }
    remove(gone, base: base, held: held, &plan)
    return plan
  }

  /// Decides about files of own answers that came late. Each of them that changes name is still there. One that the changes
  /// do not name is gone, if it was unsure already when they were `asked` for: others may be from before the file.
  static func settle(
    _ unsure: [StorePath: FileEntry], asked: [StorePath: FileEntry], by changes: [ChangeSet.Change],
    base: some FileTree, _ plan: inout Plan
  ) {
    guard !unsure.isEmpty else { return }
    var decided = Set(plan.present.map(\.path) + plan.lost + plan.held)
    var lost = Set(plan.lost)
    let known = base.entries.map(\.path)
    var named: Set<StorePath> = []
    for change in changes {
      switch change {
      case .present(let entry): named.formUnion(entry.path.withFolders)
      case .absent(let path): named.insert(path)
      }
    }
    // Files before their folders: a folder stays with what is in it, also if the store tells of files alone, and is unsure
    // as long as all of that is.
    for (path, entry) in unsure.sorted(by: { $1.key < $0.key }) where base[path] == entry && !decided.contains(path) {
      var isThere = named.contains(path)
      if !isThere {
        guard asked[path] == entry else { continue }
        if entry.kind == .folder {
          let inside = known.lazy.filter { $0.relative(to: path) != nil && !lost.contains($0) }
          isThere = inside.contains { decided.contains($0) || unsure[$0] == nil }
          if !isThere, !inside.isEmpty { continue }
        }
      }
      decided.insert(path)
      if isThere {
        plan.present.append(entry)
      } else {
        lost.insert(path)
        plan.lost.append(path)
      }
    }
  }

  /// Takes it that a file, or a folder with its files, is gone by this member's own act.
  static func plan(losing path: StorePath, base: some FileTree) -> Plan {
    Plan(lost: base.entries.map(\.path).filter { $0 == path || $0.relative(to: path) != nil })
  }

  /// Files that were renamed are not removed: their content is at another path of the plan.
  private static func remove(
    _ gone: [StorePath], base: some FileTree, held: Set<StorePath>, _ plan: inout Plan
  ) {
    var moved = plan.present.reduce(into: [String: Int]()) { counts, entry in
      if let hash = entry.contentHash?.hex { counts[hash, default: 0] += 1 }
    }
    let removed = gone.filter { path in
      guard let entry = base[path], entry.kind == .file else { return false }
      guard let hash = entry.contentHash?.hex, let count = moved[hash], count > 0 else { return true }
      moved[hash] = count - 1
      return false
    }
    let files = base.entries.count { $0.kind == .file }
    if isSuspicious(removing: removed.count + held.count, of: files) {
      plan.held = removed
      let kept = Set(removed)
      plan.lost = gone.filter { !kept.contains($0) }
    } else {
      plan.lost = gone
    }
  }

  /// The outcome of a request for a waiting change.
  enum Verdict: Sendable, Equatable {
    /// The store has it.
    case done
    /// The store cannot be reached, or not now: it waits, and so do the changes after it.
    case waits
    /// It can never be sent. The change is dropped, and the member reads the reason.
    case refused
  }

  /// True for failures of the moment: the same request may succeed later. A server that answers other requests and does
  /// not permit a change is not one of them (`verdict`).
  static func isForNow(_ kind: StoreError.Kind) -> Bool {
    switch kind {
    case .offline, .rateLimited, .server, .cancelled, .notSignedIn, .notPermitted, .quota: true
    default: false
    }
  }

  /// Judges a failed request of a store that answers others. `atTarget` is the file that the store has at the end's path, of
  /// a folder the one that shows whose it is; `wasTried` if an earlier request may have arrived.
  static func verdict(
    of change: ChangeRecord, failedWith kind: StoreError.Kind, atTarget: FileEntry?, wasTried: Bool
  ) -> Verdict {
    if isForNow(kind), kind != .notPermitted { return .waits }
    switch (change.kind, kind) {
    case (.rename, .notFound), (.rename, .conflict), (.rename, .exists), (.rename, .notPermitted),
      (.moveFolder, .notFound), (.moveFolder, .conflict), (.moveFolder, .exists), (.moveFolder, .notPermitted):
      guard wasTried, let atTarget else { return .refused }
      return isSame(change, atTarget) ? .done : .refused
    case (.trash, .notFound): return .done
    case (.trash, .notPermitted): return wasTried && atTarget == nil ? .done : .refused
    case (.restore, .notFound), (.restore, .notPermitted): return wasTried && atTarget != nil ? .done : .refused
    default: return .refused
    }
  }

  /// True if a file can be the one that the change is about.
  static func isSame(_ change: ChangeRecord, _ entry: FileEntry) -> Bool {
    if let base = change.base, entry.revision == base { return true }
    if let hash = change.baseHash, let found = entry.contentHash?.hex { return hash == found }
    return change.size.map { entry.size == UInt64(clamping: $0) } ?? false
  }

  /// The waiting change that a new rename takes back, so that neither need be sent: the last one about its file, if no
  /// request for it may have arrived.
  static func takenBack(
    renaming path: StorePath, to target: StorePath, isFolder: Bool = false, among waiting: [ChangeRecord]
  ) -> ChangeRecord? {
    let last = waiting.last { change in
      [change.path, change.target].contains { own in
        own.map { $0 == path || $0 == target || isFolder && ($0.touches(path) || $0.touches(target)) } ?? false
      }
    }
    guard let last, last.kind == (isFolder ? .moveFolder : .rename), last.path == target, last.target == path,
      !last.isTried, !last.isDamaged
    else { return nil }
    return last
  }
}
