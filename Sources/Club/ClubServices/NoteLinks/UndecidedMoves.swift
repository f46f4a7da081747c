public import FileStores
internal import Synchronization

/// The moves of this process whose broken links the member has neither mended nor left, each from the path that links
/// have to the path where the file is now.
struct UndecidedMoves: Sendable {
  private(set) var all: [PathMove] = []

  /// Moves in the order in which they happened.
  mutating func add(_ moves: [PathMove]) {
    for move in moves {
      // Links lead to the path from before the moves that are undecided.
      let origin = PathMoves(all).before(move.from)
      all = all.map { PathMove($0.from, to: PathMoves([move]).now($0.to)) }
      if !all.contains(where: { $0.from == origin }) { all.append(PathMove(origin, to: move.to)) }
      all.removeAll { $0.from == $0.to }
    }
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
    let all = undecided.withLock { undecided in
      undecided.add(moves)
      return undecided.all
    }
    guard !all.isEmpty else { return nil }
    do throws(StoreError) {
      let plan = try await linksToMend(after: all)
      let isCurrent = undecided.withLock { $0.all == all }
      if isCurrent, plan.linkCount == 0 { decide(all) }
      return isCurrent ? plan : nil
    } catch {
      decide(all)
      throw error
    }
  }

  /// These files are where they were before a move.
  public func movedBack(_ moves: [PathMove]) { undecided.withLock { $0.add(back: moves) } }

  /// The links to these moves' files stay as they are, or are mended.
  public func decide(_ moves: [PathMove]) { undecided.withLock { $0.remove(moves) } }

  public func movedToTrash(_ path: StorePath) { undecided.withLock { $0.remove(at: path) } }
}
