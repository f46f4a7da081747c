internal import Database
internal import FileStores

/// The decisions about changes of names that wait for each other: the meaning of one's end for those after it.
///
/// A change names its file as the changes before it leave it. So when one of them is not made, a later one of the same
/// file begins at the file's place at the store, or is dropped, too: it never goes out under a name that may belong to
/// someone else's file.
extension SyncPlanner {
  /// The end of a change that is not made.
  struct Refusal: Sendable {
    var changes = ChangesPlan()
    /// The later changes that cannot be made without it.
    var dropped: [Dropped] = []
    /// False if a later change gives the file the same last name as before: the member need not hear of this one.
    var isReported = true
  }

  struct Dropped: Sendable, Equatable {
    let change: ChangeRecord
    /// The place at the store of the change's file.
    let place: StorePath
    /// True for the first change that another file loses, unless that file has the same last name without it.
    var isReported: Bool
  }

  /// Decides about the changes after one that is not made. `isGone` if the store does not have its file. The small files
  /// beside a note or photo stay beside it: their changes are not made either.
  static func without(_ refused: ChangeRecord, isGone: Bool, among waiting: [ChangeRecord]) -> Refusal {
    var refusal = Refusal()
    refusal.changes.removed = [refused.id]
    guard !refused.isDamaged else { return refusal }
    follow(refused, isGone: isGone, among: waiting, &refusal)
    var index = 0
    var change = refused
    while true {
      for id in companions(of: change, among: waiting) {
        let rest = refusal.changes.applied(to: waiting)
        guard let companion = rest.first(where: { $0.id == id }) else { continue }
        refusal.changes.removed.append(id)
        refusal.dropped.append(Dropped(change: companion, place: companion.path, isReported: false))
        follow(companion, isGone: change.id == refused.id && isGone, among: rest, &refusal)
      }
      guard index < refusal.dropped.count else { break }
      let dropped = refusal.dropped[index].change
      change = waiting.first { $0.id == dropped.id } ?? dropped
      index += 1
    }
    let rest = refusal.changes.applied(to: waiting)
    refusal.changes.texts = movedTexts(from: waiting, to: rest)
    let (before, after) = (WaitingNames(waiting), WaitingNames(rest))
    func differs(_ path: StorePath) -> Bool { before.shown(path) != after.shown(path) }
    refusal.isReported = refused.kind != .rename || differs(refused.path)
    for (index, dropped) in refusal.dropped.enumerated() where dropped.change.kind == .rename {
      refusal.dropped[index].isReported = dropped.isReported && differs(dropped.place)
    }
    return refusal
  }

  private static func follow(
    _ refused: ChangeRecord, isGone: Bool, among waiting: [ChangeRecord], _ refusal: inout Refusal
  ) {
    var chain = RefusedChain(refused, isGone: isGone)
    for change in waiting where change.id > refused.id && !change.isDamaged { chain.take(change, &refusal) }
  }

  /// The changes that give the small files beside a change's file the same end.
  private static func companions(of change: ChangeRecord, among waiting: [ChangeRecord]) -> [Int64] {
    let targets: [StorePath?] = change.target.map { Companion.files(beside: $0) } ?? [nil, nil, nil]
    return zip(Companion.files(beside: change.path), targets).compactMap { path, target in
      waiting.first { other in
        other.id > change.id && !other.isDamaged && other.kind == change.kind && other.path == path
          && other.target == target
      }?.id
    }
  }

  /// A change with the earlier ones that touch its paths, directly or through each other, in their order.
  static func connected(to change: ChangeRecord, among waiting: [ChangeRecord]) -> [ChangeRecord] {
    func paths(_ change: ChangeRecord) -> Set<StorePath> { Set([change.path, change.target].compactMap { $0 }) }
    var (connected, touched) = ([change], paths(change))
    for earlier in waiting.reversed() where earlier.id < change.id && !earlier.isDamaged {
      guard !touched.isDisjoint(with: paths(earlier)) else { continue }
      connected.append(earlier)
      touched.formUnion(paths(earlier))
    }
    return connected.reversed()
  }

  /// The names at which the member saw files before a change of what waits, and their names after it: texts go along.
  static func movedTexts(from old: [ChangeRecord], to new: [ChangeRecord]) -> [StorePath: StorePath] {
    let (before, after) = (WaitingNames(old), WaitingNames(new))
    let given = Set(after.changes.compactMap { $0.kind == .restore ? $0.path : $0.target })
    var texts: [StorePath: StorePath] = [:]
    for path in Set(before.changes.map(\.path)) {
      guard let was = before.shown(path), let now = after.shown(path), was != now else { continue }
      // A file that is gone gets no name that another one has now.
      if now != path || !given.contains(path) { texts[was] = now }
    }
    return texts
  }

  /// The end of a change that the store has made: the later renames of its file are about the revision that it has now. A
  /// move to the trash is so only if the member has seen the same revision: it spares one that others have written since.
  static func finished(_ done: ChangeRecord, as entry: FileEntry?, among waiting: [ChangeRecord]) -> ChangesPlan {
    var plan = ChangesPlan()
    plan.removed = [done.id]
    guard done.kind == .rename, let entry, let revision = entry.revision, revision != done.base else { return plan }
    var place = entry.path
    for change in waiting where change.id > done.id && !change.isDamaged && change.path == place {
      if let target = change.target { place = target }
      if change.base == done.base || change.kind == .rename { plan.changed.append(change.rebased(on: revision)) }
    }
    return plan
  }
}

/// Follows the changes after one that is not made.
private struct RefusedChain {
  /// A file without the name that a change was to give it.
  private struct StuckFile {
    let place: StorePath
    /// True if the store does not have it.
    let isGone: Bool
  }

  /// The files that are not where later changes expect them, by that name.
  private var displaced: [StorePath: StuckFile] = [:]
  /// The names that stuck files keep and that later changes expect to be free.
  private var occupied: Set<StorePath> = []

  init(_ refused: ChangeRecord, isGone: Bool) {
    let isGone = isGone || refused.kind == .restore
    let file = StuckFile(place: refused.path, isGone: isGone)
    switch refused.kind {
    case .rename: if let target = refused.target { displaced[target] = file }
    case .restore: displaced[refused.path] = file
    case .trash: break
    }
    if !isGone { occupied = [refused.path] }
  }

  mutating func take(_ change: ChangeRecord, _ refusal: inout SyncPlanner.Refusal) {
    switch change.kind {
    case .rename: if let target = change.target { rename(change, to: target, &refusal) }
    case .trash:
      guard let stuck = displaced.removeValue(forKey: change.path) else { return }
      guard !stuck.isGone else { return refusal.changes.removed.append(change.id) }
      occupied.remove(stuck.place)
      refusal.changes.changed.append(change.begun(at: stuck.place))
    case .restore:
      guard occupied.contains(change.path) else { return }
      displaced[change.path] = StuckFile(place: change.path, isGone: true)
      drop(change, at: change.path, isReported: true, &refusal)
    }
  }

  private mutating func rename(_ change: ChangeRecord, to target: StorePath, _ refusal: inout SyncPlanner.Refusal) {
    let stuck = displaced.removeValue(forKey: change.path)
    let file = stuck ?? StuckFile(place: change.path, isGone: false)
    if file.isGone {
      displaced[target] = file
      drop(change, at: file.place, isReported: false, &refusal)
    } else if target == file.place {
      // The file has this name already.
      occupied.remove(target)
      refusal.changes.removed.append(change.id)
    } else if occupied.contains(target) {
      displaced[target] = file
      occupied.insert(file.place)
      drop(change, at: file.place, isReported: stuck == nil, &refusal)
    } else if stuck != nil {
      occupied.remove(file.place)
      refusal.changes.changed.append(change.begun(at: file.place))
    }
  }

  private func drop(
    _ change: ChangeRecord, at place: StorePath, isReported: Bool, _ refusal: inout SyncPlanner.Refusal
  ) {
    refusal.changes.removed.append(change.id)
    refusal.dropped.append(SyncPlanner.Dropped(change: change, place: place, isReported: isReported))
  }
}
