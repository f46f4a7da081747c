import Backends
import Database
import FileStores
import TestKit
import Testing

@testable import ClubServices

@Suite struct RivalryTests {
  @Test(arguments: 0..<20)
  func `members who write one note at once overwrite only what they have seen`(seed: UInt64) async throws {
    let world = try NotesWorld()
    let entry = try await world.put("0", at: "a.md")
    let rivals = try (0..<3).map { try Rival(number: $0, world, knows: entry) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for rival in rivals { group.addTask { try await rival.writes(texts: 10, seed: seed) } }
      try await group.waitForAll()
    }
    var bases: [Revision] = []
    for rival in rivals {
      for mode in rival.store.modes(at: entry.path) {
        guard case .replace(let base) = mode else {
          Issue.record("a put without a base")
          continue
        }
        #expect(rival.known.contains(base))
        bases.append(base)
      }
      #expect(try await rival.service.unsent().isEmpty)
    }
    // One chain: nobody built on a revision that somebody else had replaced already.
    #expect(Set(bases).count == bases.count)
    // And every text came out somewhere: in the chain, or as a note of its own.
    #expect(bases.count + (try await world.names.count - 1) == 30)
  }
}

/// A member with a process of their own, who goes on whatever the others do.
private final class Rival: Sendable {
  let store: ScriptedNotesStore
  let service: NotesService
  private let number: Int
  private let path: StorePath
  private let revisions: RevisionLog

  init(number: Int, _ world: NotesWorld, knows entry: FileEntry) throws {
    store = ScriptedNotesStore(world.memory)
    service = try world.service(store: store)
    (self.number, path, revisions) = (number, entry.path, RevisionLog())
    revisions.add(entry.revision)
  }

  /// The revisions whose texts this member has had before their eyes.
  var known: Set<Revision> { revisions.all }

  func writes(texts: Int, seed: UInt64) async throws {
    var random = SeededNumbers(seed &* 3 &+ UInt64(number))
    var base = revisions.all.first
    for text in 0..<texts {
      var outcome = try await service.save(path, base: base, text: bytes("\(number) \(text)"), draft: nil)
      while let conflict = outcome.conflict {
        revisions.add(conflict.theirEntry?.revision)
        outcome = try await service.resolve(conflict, random.below(2) == 0 ? .mine : .both)
      }
      let saved = try #require(outcome.saved)
      base = saved.path == path ? saved.revision : try await service.open(path).entry.revision
      revisions.add(base)
    }
  }
}
