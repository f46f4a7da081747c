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
    refusal.isReported = !refused.isRename || differs(refused.path)
    for (index, dropped) in refusal.dropped.enumerated() where dropped.change.isRename {
      refusal.dropped[index].isReported = dropped.isReported && differs(dropped.place)
    }
    return refusal
  }

  /// Drops changes that wait: together all moves to the trash that concern no later change, as of a whole folder, else the
  /// first one.
  /// - Returns: the numbers that are still to be dropped.
  static func dropping(_ ids: [Int64], among waiting: [ChangeRecord]) -> (plan: ChangesPlan, value: [Int64]) {
    let wanted = Set(ids)
    // The last change that names a path, and the last that names one below it.
    var (named, below): ([StorePath: Int64], [StorePath: Int64]) = ([:], [:])
    var spared: [StorePath: Int64] = [:]
    for change in waiting {
      if change.kind == .trash {
        if !wanted.contains(change.id) { spared[change.path] = change.id }
        continue
      }
      for path in [change.path, change.target].compactMap({ $0 }) {
        named[path] = change.id
        for folder in path.parent.withFolders { below[folder] = change.id }
      }
    }
    func isAlone(_ change: ChangeRecord) -> Bool {
      let isLast = { (other: Int64?) in other ?? 0 < change.id }
      return change.kind == .trash && !change.isDamaged && isLast(below[change.path])
        && change.path.withFolders.allSatisfy { isLast(named[$0]) }
        && Companion.files(beside: change.path).allSatisfy { isLast(spared[$0]) }
    }
    var plan = ChangesPlan()
    plan.removed = waiting.filter { wanted.contains($0.id) && isAlone($0) }.map(\.id)
    let gone = Set(plan.removed)
    guard gone.isEmpty else { return (plan, ids.filter { !gone.contains($0) }) }
    let rest = Array(ids.dropFirst())
    guard let change = waiting.first(where: { $0.id == ids.first }) else { return (plan, rest) }
    // A tried rename may have arrived: then the file is not at its old place.
    return (without(change, isGone: change.isTried, among: waiting).changes, rest)
  }

  private static func follow(
    _ refused: ChangeRecord, isGone: Bool, among waiting: [ChangeRecord], _ refusal: inout Refusal
  ) {
    var chain = RefusedChain(refused, isGone: isGone)
    for change in waiting where change.id > refused.id && !change.isDamaged { chain.take(change, &refusal) }
  }

  /// The changes that give the small files beside a change's file the same end.
  private static func companions(of change: ChangeRecord, among waiting: [ChangeRecord]) -> [Int64] {
    guard change.kind != .moveFolder else { return [] }
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
      let own = paths(earlier)
      guard touched.contains(where: { path in own.contains { $0.touches(path) } }) else { continue }
      connected.append(earlier)
      touched.formUnion(own)
    }
    return connected.reversed()
  }

  /// The names at which the member saw files and folders before a change of what waits, and their names after it: texts go
  /// along.
  static func movedTexts(from old: [ChangeRecord], to new: [ChangeRecord]) -> MovedNames {
    let (before, after) = (WaitingNames(old), WaitingNames(new))
    let hasFolders = before.changes.contains { $0.kind == .moveFolder }
    var texts: MovedNames = [:]
    for folders in [true, false] {
      for (index, change) in before.changes.enumerated() where (change.kind == .moveFolder) == folders {
        var path = change.path
        if hasFolders {
          // In a folder that has moved before, its place at the store is another.
          let earlier = WaitingNames(Array(before.changes[..<index]))
          guard case .at(let place) = earlier.origin(of: path) else { continue }
          path = place
        }
        // Nil after the change for a file whose name another one has now: its texts stay where they are.
        guard let was = before.shown(path), let now = after.shown(path) else { continue }
        if folders {
          texts.folders[was] = now
        } else if now != texts[was] ?? was {
          texts.files[was] = now
        }
      }
    }
    let all = texts.folders
    // A folder that stays matters in one that does not.
    texts.folders = all.filter { was, now in was != now || all.keys.contains { was.relative(to: $0) != nil } }
    return texts
  }

  /// The end of a change that the store has made: the later renames of its file are about the revision that it has now. A
  /// move to the trash is so only if the member has seen the same revision: it spares one that others have written since.
  static func finished(_ done: ChangeRecord, as entry: FileEntry?, among waiting: [ChangeRecord]) -> ChangesPlan {
    var plan = ChangesPlan()
    plan.removed = [done.id]
    guard done.kind == .rename, let entry, let revision = entry.revision, revision != done.base else { return plan }
    var place = entry.path
    for change in waiting where change.id > done.id && !change.isDamaged {
      if let moved = change.takes(place) { place = moved }
      guard change.kind != .moveFolder, change.path == place else { continue }
      if let target = change.target { place = target }
      if change.base == done.base || change.kind == .rename { plan.changed.append(change.rebased(on: revision)) }
    }
    return plan
  }

  /// The end of a folder's move that the store has made. A store may give moved files another revision: later changes of
  /// those are about it, if the content is the one that the member has seen.
  static func finished(_ done: ChangeRecord, now files: [FileEntry], among waiting: [ChangeRecord]) -> ChangesPlan {
    var plan = ChangesPlan()
    plan.removed = [done.id]
    guard let target = done.target else { return plan }
    let now = Dictionary(files.map { ($0.path, $0) }) { _, last in last }
    let rest = waiting.filter { $0.id > done.id }
    for (index, change) in rest.enumerated() where !change.isDamaged && change.baseHash != nil {
      guard case .at(let place) = WaitingNames(Array(rest[..<index])).origin(of: change.path),
        place.relative(to: target) != nil, let file = now[place], let revision = file.revision,
        revision != change.base, file.contentHash?.hex == change.baseHash
      else { continue }
      plan.changed.append(change.rebased(on: revision))
    }
    return plan
  }
}

extension ChangeRecord {
  var isRename: Bool { kind == .rename || kind == .moveFolder }
}

/// Follows the changes after one that is not made.
private struct RefusedChain {
  /// A file or folder without the name that a change was to give it.
  private struct Stuck {
    let place: StorePath
    /// True if the store does not have it.
    let isGone: Bool
    var isFolder = false
    /// True if something else has come into a folder that is gone.
    var isRefilled = false
  }

  /// Files and folders that are not at the path that later changes expect, by that path.
  private var displaced: [StorePath: Stuck] = [:]
  /// The names that stuck files and folders keep and that later changes expect to be free.
  private var occupied: Set<StorePath> = []

  init(_ refused: ChangeRecord, isGone: Bool) {
    let isGone = isGone || refused.kind == .restore
    let stuck = Stuck(place: refused.path, isGone: isGone, isFolder: refused.kind == .moveFolder)
    switch refused.kind {
    case .rename, .moveFolder: if let target = refused.target { displaced[target] = stuck }
    case .restore: displaced[refused.path] = stuck
    case .trash: break
    }
    if !isGone { occupied = [refused.path] }
  }

  mutating func take(_ change: ChangeRecord, _ refusal: inout SyncPlanner.Refusal) {
    switch change.kind {
    case .rename, .moveFolder: if let target = change.target { rename(change, to: target, &refusal) }
    case .trash:
      let own = displaced.removeValue(forKey: change.path)
      guard let stuck = own ?? inside(change.path) else { return }
      guard !stuck.isGone else { return refusal.changes.removed.append(change.id) }
      if own != nil { occupied.remove(stuck.place) }
      refusal.changes.changed.append(change.begun(at: stuck.place))
    case .restore:
      let stuck = inside(change.path)
      guard isBlocked(change.path, isTranslated: stuck != nil) else {
        if let stuck, !stuck.isGone { refusal.changes.changed.append(change.begun(at: stuck.place)) }
        refill(above: change.path, isFolder: false)
        return
      }
      displaced[change.path] = Stuck(place: change.path, isGone: true)
      drop(change, at: change.path, isReported: true, &refusal)
    }
  }

  private mutating func rename(_ change: ChangeRecord, to target: StorePath, _ refusal: inout SyncPlanner.Refusal) {
    let isFolder = change.kind == .moveFolder
    let own = displaced.removeValue(forKey: change.path)
    var file = own ?? inside(change.path) ?? Stuck(place: change.path, isGone: false)
    file.isFolder = isFolder
    let folder = inside(target)
    let goal = folder.map { $0.isGone ? target : $0.place } ?? target
    if isFolder { expectMoved(change.path, to: target) }
    if file.isGone {
      displaced[target] = file
      guard !file.isRefilled else { return placeMoved(change.path, to: target) }
      drop(change, at: file.place, isReported: false, &refusal)
    } else if goal == file.place {
      // The file has this name already.
      occupied.remove(goal)
      refusal.changes.removed.append(change.id)
    } else if isBlocked(goal, isTranslated: goal != target) {
      displaced[target] = file
      occupied.insert(file.place)
      drop(change, at: file.place, isReported: own == nil, &refusal)
    } else {
      if own != nil { occupied.remove(file.place) }
      if file.place != change.path || goal != target {
        refusal.changes.changed.append(change.begun(at: file.place, to: goal))
      }
      if isFolder { placeMoved(file.place, to: goal) }
      if folder?.isGone == true { refill(above: target, isFolder: isFolder) }
    }
  }

  /// The place of a file in a folder that is not where later changes expect it.
  private func inside(_ path: StorePath) -> Stuck? {
    var folder = path.parent
    while !folder.isRoot {
      if let stuck = displaced[folder], stuck.isFolder {
        return path.moved(with: folder, to: stuck.place).map { Stuck(place: $0, isGone: stuck.isGone) }
      }
      folder = folder.parent
    }
    return nil
  }

  /// Notes what has come into a folder that is gone, and makes it anew.
  private mutating func refill(above path: StorePath, isFolder: Bool) {
    guard inside(path)?.isGone == true else { return }
    displaced[path] = Stuck(place: path, isGone: false, isFolder: isFolder)
    var folder = path.parent
    while displaced[folder]?.isFolder != true { folder = folder.parent }
    displaced[folder]?.isRefilled = true
  }

  /// True if a name is kept by what is stuck. A file that was to go into another folder of that name does not go into the
  /// stuck one, in which it could meet another file.
  private func isBlocked(_ goal: StorePath, isTranslated: Bool) -> Bool {
    occupied.contains { kept in
      kept == goal || kept.relative(to: goal) != nil || !isTranslated && goal.relative(to: kept) != nil
    }
  }

  /// Later changes expect what is displaced in a folder in its new place.
  private mutating func expectMoved(_ folder: StorePath, to target: StorePath) {
    displaced = Dictionary(displaced.map { ($0.moved(with: folder, to: target) ?? $0, $1) }) { _, last in last }
  }

  /// A folder takes the stuck files in it along.
  private mutating func placeMoved(_ folder: StorePath, to target: StorePath) {
    displaced = displaced.mapValues {
      Stuck(
        place: $0.place.moved(with: folder, to: target) ?? $0.place, isGone: $0.isGone, isFolder: $0.isFolder,
        isRefilled: $0.isRefilled)
    }
    occupied = Set(occupied.map { $0.moved(with: folder, to: target) ?? $0 })
  }

  private func drop(
    _ change: ChangeRecord, at place: StorePath, isReported: Bool, _ refusal: inout SyncPlanner.Refusal
  ) {
    refusal.changes.removed.append(change.id)
    refusal.dropped.append(SyncPlanner.Dropped(change: change, place: place, isReported: isReported))
  }
}
