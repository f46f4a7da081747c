import Backends
import FileStores
import TestKit
import Testing

extension DropboxV1Conversations {
  private static let older = "362e2029684f0"
  private static let newer = "362e2029684ff"

  private static func versions(_ entries: String...) -> ScriptedTransport.Answer {
    .text(200, "[\(entries.joined(separator: ","))]")
  }

  private static func version(_ revision: String) -> String { DropboxV1.file("/Club/a.md", revision: revision) }

  static let capabilities: [Conversation] = [
    Conversation("versions", [versions(version(DropboxV1.revision), version(older))]) { scene in
      try await #require(scene.store.capabilities.revisions).versions(of: StorePath("a.md"), limit: 20).map(\.spelledV1)
        .joined(separator: "\n")
    },
    Conversation(
      "versions-deleted", [versions(DropboxV1.deleted("/club/a.md"), version(DropboxV1.revision), version(older))]
    ) { scene in
      try await #require(scene.store.capabilities.revisions).versions(of: StorePath("a.md"), limit: 20).map(\.spelledV1)
        .joined(separator: "\n")
    },
    Conversation("versions-unknown", [DropboxV1.refusal(405, "no")]) { scene in
      do {
        return
          "\(try await #require(scene.store.capabilities.revisions).versions(of: StorePath("a.md"), limit: 20).count)"
      } catch {
        #expect(scene.store.capabilities.revisions == nil)
        throw error
      }
    },
    Conversation(
      "version-read",
      [
        versions(version(DropboxV1.revision), version(older)),
        DropboxV1.content("hello", version(older)),
      ]
    ) { scene in
      let (bytes, entry) = try await #require(scene.store.capabilities.revisions).readAll(
        Revision(older), of: StorePath("a.md"))
      return entry.spelledV1 + "\n" + String(decoding: bytes, as: UTF8.self)
    },
    Conversation(
      "version-restore",
      [
        versions(version(DropboxV1.revision), version(older)), .text(200, version(newer)),
        versions(version(newer), version(DropboxV1.revision), version(older)),
      ]
    ) { scene in
      try await #require(scene.store.capabilities.revisions).restore(
        Revision(older), of: StorePath("a.md"), over: Revision(DropboxV1.revision)
      ).spelledV1
    },
    Conversation(
      "search",
      [
        .text(
          200,
          "[\(DropboxV1.file("/club/photos/Spring.jpg")),\(DropboxV1.folder("/club/photos/x.jpg")),"
            + "\(DropboxV1.file("/club/.club-trash/1-1/x.jpg"))]")
      ]
    ) { scene in
      try await #require(scene.store.capabilities.search).files(matching: ".jpg", below: StorePath("photos"), limit: 10)
        .map(\.entry.spelledV1).joined(separator: "\n")
    },
    Conversation("thumbnail", [DropboxV1.content("a picture", DropboxV1.file("/club/a.jpg"))]) { scene in
      let made = try await #require(scene.store.capabilities.thumbnails).thumbnails(of: [StorePath("a.jpg")], side: 100)
      let copy = try #require(try made.first?.get())
      return copy.entry.spelledV1 + "\n" + String(decoding: copy.bytes, as: UTF8.self)
    },
    Conversation("thumbnail-of-no-picture", [DropboxV1.notFound, .text(200, DropboxV1.file("/club/a.md"))]) { scene in
      let made = try await #require(scene.store.capabilities.thumbnails).thumbnails(of: [StorePath("a.md")], side: 600)
      return try made[0].get().entry.spelledV1
    },
  ]
}
