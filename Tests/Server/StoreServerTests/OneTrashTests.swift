import Backends
import Basics
import FileStores
import Foundation
import TestKit
import Testing

@testable import StoreServer

/// The owner of a served folder and its members have one trash.
@Suite(.serialized) struct OneTrashTests {
  @Test("What the owner and a member discard is in one list on both sides, and either puts back the other's")
  func oneTrash() async throws {
    try await withServer { server in
      let pool = BlockingPool(threads: 2)
      let served = ServedFolder(
        origin: "http://127.0.0.1:\(server.client.port)", token: server.token, members: server.members, pool: pool)
      let member = try await served.open("/club")
      let root = server.root + "/club"
      let owner = try FolderStore(root: root, pool: pool)
      let (ours, theirs) = (try #require(owner.capabilities.trash), try #require(member.capabilities.trash))
      for name in ["by owner.md", "photos/by member.jpg"] {
        _ = try await owner.put(DataSource(name.utf8), at: StorePath(name), mode: .create)
      }
      _ = try await ours.discard(StorePath("by owner.md"), ifRevision: nil)
      _ = try await theirs.discard(StorePath("photos/by member.jpg"), ifRevision: nil)
      let all = try await ours.contents()
      #expect(Set(all.map(\.origin.description)) == ["by owner.md", "photos/by member.jpg"])
      #expect(try await theirs.contents() == all)
      for file in all {
        let other = file.origin.description == "by owner.md" ? theirs : ours
        _ = try await other.restore(file.id)
        #expect(contents(root + "/" + file.origin.description) == file.origin.description)
      }
      #expect(try await ours.contents() == [])
      #expect(try await theirs.contents() == [])
    }
  }
}
