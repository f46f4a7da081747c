internal import Database
public import FileStores
internal import Synchronization

/// The moves of this process whose broken links the member has neither mended nor left, each from the path that links
/// have to the path where the file is now.
struct UndecidedMoves: Sendable {
  private(set) var all: [PathMove] = []

  /// Moves in the order in which they happened.
  mutating func add(_ moves: [PathMove]) {
    let targets = Set(moves.map(\.to))
    // Files that move together are looked at together, unless one of them moves on.
    if moves.count > 1, moves.contains(where: { $0.from.withFolders.contains(where: targets.contains) }) {
      return moves.forEach { add([$0]) }
    }
    let (before, step) = (PathMoves(all), PathMoves(moves))
    all = all.map { PathMove($0.from, to: step.now($0.to)) }
    let known = Set(all.map(\.from))
    for move in moves {
      // Links lead to the path from before the moves that are undecided.
      let origin = before.before(move.from)
      if !known.contains(origin) { all.append(PathMove(origin, to: move.to)) }
    }
    all.removeAll { $0.from == $0.to }
  }

  /// Moves that lead back: they break no links that were not broken before.
  mutating func add(back moves: [PathMove]) {
    let known = Set(all.map(\.from))
    add(moves)
    all.removeAll { !known.contains($0.from) }
  }

  mutating func remove(_ moves: [PathMove]) {
    let gone = Set(moves)
    all.removeAll { gone.contains($0) }
  }

  /// A file or folder has gone to the trash.
  mutating func remove(at path: StorePath) { all.removeAll { $0.to == path || $0.to.relative(to: path) != nil } }
}

extension NotesService {
  /// The plan for the links that these moves and the undecided ones before them have broken; nil if another move, an undo
  /// or the trash makes it out of date meanwhile.
  /// - Throws: as `linksToMend(after:)`.
  public func linksToMend(adding moves: [PathMove]) async throws(StoreError) -> LinkMendPlan? {
    var (before, all): (Set<PathMove>, [PathMove]) = undecided.withLock { undecided in
      let before = Set(undecided.all)
      undecided.add(moves)
      return (before, undecided.all)
    }
    while !all.isEmpty {
      let plan: LinkMendPlan
      do throws(StoreError) {
        plan = try await linksToMend(after: all)
      } catch {
        decide(all.filter { !before.contains($0) })
        throw error
      }
      let now = undecided.withLock { $0.all }
      if now == all {
        if plan.linkCount == 0 { decide(all) }
        return plan
      }
      // After a move or an undo its own search goes on; after a decision the rest is left.
      guard Set(now).isStrictSubset(of: all) else { return nil }
      (before, all) = ([], now)
    }
    return nil
  }

  /// These files are where they were before a move.
  public func movedBack(_ moves: [PathMove]) { undecided.withLock { $0.add(back: moves) } }

  /// The links to these moves' files stay as they are, or are mended.
  public func decide(_ moves: [PathMove]) { undecided.withLock { $0.remove(moves) } }

  public func movedToTrash(_ path: StorePath) { undecided.withLock { $0.remove(at: path) } }
}
