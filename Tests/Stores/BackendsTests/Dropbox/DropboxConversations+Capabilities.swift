import Backends
import FileStores
import TestKit
import Testing

extension DropboxConversations {
  private static let older = "a1c10ce0dd70"
  private static let newer = "a1c10ce0dd7f"

  private static func versions(_ revisions: [String], isDeleted: Bool = false, hasMore: Bool = false)
    -> ScriptedTransport.Answer
  {
    let entries = revisions.map { Dropbox.file("/Club/a.md", revision: $0, tagged: false) }
    return .text(
      200, #"{"is_deleted":\#(isDeleted),"entries":[\#(entries.joined(separator: ","))],"has_more":\#(hasMore)}"#)
  }

  private static func spelled<Value>(_ result: Result<Value, StoreError>, _ spell: (Value) -> String) -> String {
    switch result {
    case .success(let value): spell(value)
    case .failure(let error): "\(error.kind): \(error)"
    }
  }

  static let capabilities: [Conversation] = histories + searches + pictures + batches + folders

  private static let histories: [Conversation] = [
    Conversation("versions", [versions([Dropbox.revision, older])]) { scene in
      try await #require(scene.store.capabilities.revisions).versions(of: StorePath("a.md"), limit: 20).map(\.spelled)
        .joined(separator: "\n")
    },
    Conversation(
      "versions-many",
      [
        versions((0..<100).map { "a1c10ce0d" + String(900 - $0) }, isDeleted: true, hasMore: true),
        versions([older], isDeleted: true),
      ]
    ) { scene in
      let versions = try await #require(scene.store.capabilities.revisions).versions(of: StorePath("a.md"), limit: 150)
      return "\(versions.count) versions"
    },
    Conversation("versions-none", [Dropbox.notFound]) { scene in
      "\(try await #require(scene.store.capabilities.revisions).versions(of: StorePath("a.md"), limit: 20).count) versions"
    },
    Conversation(
      "version-read", [Dropbox.content("hello", Dropbox.file("/Club/a.md", revision: older, tagged: false))]
    ) { scene in
      let (bytes, entry) = try await #require(scene.store.capabilities.revisions).readAll(
        Revision(older), of: StorePath("a.md"))
      return entry.spelled + "\n" + String(decoding: bytes, as: UTF8.self)
    },
    Conversation(
      "version-read-of-another-file",
      [Dropbox.content("hello", Dropbox.file("/club/b.md", revision: older, tagged: false))]
    ) { scene in
      let read = try await #require(scene.store.capabilities.revisions).readAll(Revision(older), of: StorePath("a.md"))
      return "\(read.bytes.count) bytes"
    },
    Conversation(
      "version-restore",
      [
        versions([Dropbox.revision, older]),
        .text(200, Dropbox.file("/club/a.md", revision: newer, tagged: false)),
        versions([newer, Dropbox.revision, older]),
      ]
    ) { scene in
      try await #require(scene.store.capabilities.revisions).restore(
        Revision(older), of: StorePath("a.md"), over: Revision(Dropbox.revision)
      ).spelled
    },
    Conversation("version-restore-conflict", [versions([newer, Dropbox.revision, older])]) { scene in
      try await #require(scene.store.capabilities.revisions).restore(
        Revision(older), of: StorePath("a.md"), over: Revision(Dropbox.revision)
      ).spelled
    },
    Conversation(
      "version-restore-overtaken",
      [
        versions([Dropbox.revision, older]),
        .text(200, Dropbox.file("/club/a.md", revision: newer, tagged: false)),
        versions([newer, "a1c10ce0dd7a", Dropbox.revision, older]),
        .text(200, Dropbox.file("/club/a.md", revision: "a1c10ce0dd80", tagged: false)),
        versions(["a1c10ce0dd80"]),
      ]
    ) { scene in
      try await #require(scene.store.capabilities.revisions).restore(
        Revision(older), of: StorePath("a.md"), over: Revision(Dropbox.revision)
      ).spelled
    },
    Conversation(
      "version-restore-gone",
      [versions([older], isDeleted: true), Dropbox.refusal("invalid_revision", #"{".tag":"invalid_revision"}"#)]
    ) { scene in
      try await #require(scene.store.capabilities.revisions).restore(
        Revision("a1c10ce0dd00"), of: StorePath("a.md"), over: nil
      )
      .spelled
    },
  ]

  private static let searches: [Conversation] = [
    Conversation(
      "search",
      [
        .text(
          200,
          #"{"matches":[\#(match(Dropbox.file("/Club/photos/Spring.jpg"), "filename")),"#
            + #"\#(match(Dropbox.file("/Club/Walks.md"), "file_content")),\#(match(Dropbox.folder("/Club/spring"), "filename")),"#
            + #"\#(match(Dropbox.file("/Club/.club-trash/1-1/spring.md"), "filename")),{"metadata":{".tag":"other"}}],"#
            + #""has_more":true,"cursor":"CURSOR-S"}"#),
        .text(
          200,
          #"{"matches":[\#(match(Dropbox.file("/Club/photos/Spring.jpg"), "filename")),"#
            + #"\#(match(Dropbox.file("/Club/b/Spring 2.jpg"), "filename_and_content"))],"has_more":false}"#),
      ]
    ) { scene in
      try await #require(scene.store.capabilities.search).files(matching: "spring \"ü\"", below: .root, limit: 50)
        .map { ($0.isByName ? "name: " : "content: ") + $0.entry.spelled }.joined(separator: "\n")
    },
    Conversation("search-no-folder", [Dropbox.notFound]) { scene in
      let found = try await #require(scene.store.capabilities.search).files(
        matching: "spring", below: StorePath("photos"), limit: 50)
      return "\(found.count) found"
    },
  ]

  private static func match(_ metadata: String, _ type: String) -> String {
    #"{"metadata":{".tag":"metadata","metadata":\#(metadata)},"match_type":{".tag":"\#(type)"}}"#
  }

  private static let pictures: [Conversation] = [
    Conversation(
      "thumbnails",
      [
        .text(
          200,
          #"{"entries":[{".tag":"success","metadata":\#(Dropbox.file("/Club/A.jpg", tagged: false)),"thumbnail":"/9j/aGk="},"#
            + #"{".tag":"failure","failure":{".tag":"path","path":{".tag":"not_found"}}},"#
            + #"{".tag":"failure","failure":{".tag":"unsupported_image"}}]}"#)
      ]
    ) { scene in
      let paths = try ["A.jpg", "b.jpg", "bad.jpg ", "c.jpg"].map { try StorePath($0) }
      return try await #require(scene.store.capabilities.thumbnails).thumbnails(of: paths, side: 512)
        .map { spelled($0) { "\($0.bytes) of \($0.entry.spelled)" } }.joined(separator: "\n")
    },
    Conversation("thumbnails-too-few", [.text(200, #"{"entries":[]}"#)]) { scene in
      let made = try await #require(scene.store.capabilities.thumbnails).thumbnails(of: [StorePath("A.jpg")], side: 32)
      return "\(made.count) pictures"
    },
  ]

  private static let batches: [Conversation] = [
    Conversation(
      "batch",
      [
        .text(200, #"{"session_id":"AAAAAAAABCJ61k9yZZtn8Q"}"#),
        .text(
          200, #"{"entries":[{".tag":"success",\#(Dropbox.file("/club/sub/a.md", tagged: false).dropFirst())]}"#),
      ]
    ) { scene in
      try await #require(scene.store.capabilities.batches).put([
        BatchFile(DataSource("hello".utf8), at: StorePath("sub/a.md"), mode: .create),
        BatchFile(DataSource("nine bytes".utf8), at: StorePath("b.md"), mode: .create),
        BatchFile(DataSource("x".utf8), at: StorePath(".byteclub"), mode: .create),
      ]).map { spelled($0, \.spelled) }.joined(separator: "\n")
    },
    Conversation(
      "batch-conflict",
      [
        .text(200, #"{"session_id":"AAAAAAAABCJ61k9yZZtn8Q"}"#),
        .text(
          200,
          #"{"entries":[{".tag":"failure","failure":{".tag":"path","path":{".tag":"conflict","conflict":{".tag":"file"}}}}]}"#
        ), .text(200, Dropbox.file("/club/A.md", size: 7)),
      ]
    ) { scene in
      try await #require(scene.store.capabilities.batches).put([
        BatchFile(DataSource("hello".utf8), at: StorePath("a.md"), mode: .create)
      ]).map { spelled($0, \.spelled) }.joined(separator: "\n")
    },
    Conversation(
      "batch-lost",
      [
        .text(200, #"{"session_id":"AAAAAAAABCJ61k9yZZtn8Q"}"#),
        .text(
          200,
          #"{"entries":[{".tag":"failure","failure":{".tag":"lookup_failed","lookup_failed":{".tag":"not_found"}}}]}"#),
      ]
    ) { scene in
      try await #require(scene.store.capabilities.batches).put([
        BatchFile(DataSource("hello".utf8), at: StorePath("a.md"), mode: .create)
      ]).map { spelled($0, \.spelled) }.joined(separator: "\n")
    },
  ]
}
