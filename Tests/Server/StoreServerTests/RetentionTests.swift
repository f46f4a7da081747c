import Backends
import Basics
import Database
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// What the server throws away by itself, and what it says of its own damaged data.
@Suite(.serialized) struct RetentionTests {
  private func trashed(_ id: String, at second: Int64, _ size: UInt64 = 10) throws -> TrashedFile {
    TrashedFile(id: id, origin: try StorePath(id), discarded: Timestamp(seconds: second), size: size)
  }

  @Test("Of the trash goes what is too old, too many or too large, the oldest first")
  func trashLimits() throws {
    let files = try [trashed("d", at: 400), trashed("c", at: 300), trashed("b", at: 200), trashed("a", at: 100)]
    var limits = TrashLimits()
    #expect(limits.surplus(of: files, at: 500).isEmpty)
    limits.seconds = 250
    #expect(limits.surplus(of: files, at: 500).map(\.id) == ["b", "a"])
    limits = TrashLimits()
    limits.count = 3
    #expect(limits.surplus(of: files, at: 500).map(\.id) == ["a"])
    limits = TrashLimits()
    limits.totalBytes = 15
    #expect(limits.surplus(of: files, at: 500).map(\.id) == ["c", "b", "a"])
  }

  @Test("A server deletes what is too much in the trash, the oldest first", .timeLimit(.minutes(5)))
  func trash() async throws {
    try await withTemporaryFolder { folder in
      try await withServer(in: folder) { server in
        for name in ["a.md", "b.md"] { try await server.upload("/" + name, "text of \(name)") }
      }
      let store = try FolderStore(root: folder + "/root", pool: BlockingPool(threads: 1))
      let trash = try #require(store.capabilities.trash)
      for name in ["a.md", "b.md"] { _ = try await trash.discard(StorePath(name), ifRevision: nil) }
      try await withServer(in: folder, tune: { $0.trash.count = 1 }) { _ in
        while try await trash.contents().count > 1 {
          try Task.checkCancellation()
          await Task.yield()
        }
        #expect(try await trash.contents().map(\.origin.description) == ["b.md"])
      }
    }
  }

  @Test("A damaged list of members is said to be damaged, with the file and what to do")
  func damagedMembers() {
    let notice = MemberList.notice(
      ofDamage: "/data/members.sqlite.damaged-2", left: ["ann", "ben"], choice: "--root /srv/club")
    for part in [
      "/data/members.sqlite.damaged-2", "ann, ben", "/data/members.sqlite,", "member add NAME --root /srv/club",
    ] {
      #expect(notice.contains(part), "\(part): \(notice)")
    }
    #expect(MemberList.notice(ofDamage: "/m.damaged", left: [], choice: "--root /").contains("No member is left"))
  }

  @Test("What was changed can be written down also on a full disk: a reserve is given up for it, and held again")
  func reserve() async throws {
    try await withTemporaryFolder { folder in
      let pool = BlockingPool(threads: 1)
      let own = try PrivateDirectory(making: folder + "/own")
      let room = try ContentRoom(below: own, pool: pool)
      #expect(own.bytes(of: "reserve") == 1 << 20)
      #expect(room.giveUpReserve() && !room.giveUpReserve())
      #expect(own.bytes(of: "reserve") == nil)
      #expect(room.holdReserve() && room.holdReserve())
      #expect(own.bytes(of: "reserve") == 1 << 20)
    }
  }
}
