import Backends
import FileStores
import TestKit
import Testing

/// What goes over the wire in each call: bytes sent, bytes answered, and what the store makes of them. A change of the
/// wire format is a change of `Snapshots/Dropbox`.
@Suite struct DropboxConversations {
  /// One conversation.
  struct Conversation: Sendable, CustomStringConvertible {
    let name: String
    let answers: [ScriptedTransport.Answer]
    var folder = "/club"
    /// Says what came of it.
    let talk: @Sendable (DropboxScene) async throws -> String

    init(
      _ name: String, folder: String = "/club", _ answers: [ScriptedTransport.Answer],
      _ talk: @escaping @Sendable (DropboxScene) async throws -> String
    ) {
      (self.name, self.folder, self.answers, self.talk) = (name, folder, answers, talk)
    }

    var description: String { name }
  }

  @Test("The conversation is as recorded:", arguments: all + capabilities) func golden(_ conversation: Conversation)
    async throws
  {
    let scene = try DropboxScene(conversation.answers, folder: conversation.folder) { $0.pieceBytes = 8 }
    var text = ""
    let outcome: String
    do {
      outcome = try await conversation.talk(scene)
    } catch let error as StoreError {
      outcome = "\(error.kind): \(error)"
    }
    for (index, exchange) in scene.transport.recorded.enumerated() {
      text += exchange.spelled + "\n" + (conversation.answers.dropFirst(index).first?.spelled ?? "< nothing\n") + "\n"
    }
    #expect(scene.transport.unused == 0, "answers that nobody asked for")
    expectGolden(text + outcome, named: "Dropbox/\(conversation.name)")
  }

  static let odd = "/club/Über 日本 👩‍🚀 \"q\".md"

  static let all: [Conversation] = [
    Conversation(
      "list",
      [
        Dropbox.cursor,
        Dropbox.page([Dropbox.file("/Club/Note.md"), Dropbox.folder("/Club/photos")], hasMore: true),
        Dropbox.page([Dropbox.deleted("/Club/x.md"), Dropbox.file("/Club/Z.md", hash: nil)], cursor: "CURSOR-3"),
      ]
    ) { scene in
      let first = try await scene.store.list(.root, ListOptions(.full), after: nil)
      let second = try await scene.store.list(.root, ListOptions(.full), after: first.next)
      return (first.entries + second.entries).map(\.spelled).joined(separator: "\n")
        + "\nchanges from \(second.changes?.value ?? "nowhere"), next: \(second.next?.value ?? "none")"
    },
    Conversation(
      "list-recursive", folder: "",
      [
        Dropbox.cursor,
        Dropbox.page([
          Dropbox.folder("/Photos"), Dropbox.folder("/photos/Spring"), Dropbox.file("/photos/spring/A.jpg"),
          Dropbox.folder("/.club-trash"), Dropbox.file("/.club-trash/1-1/Old.md"), Dropbox.file("/.byteclub/x"),
        ]),
      ]
    ) { scene in
      try await scene.store.list(.root, ListOptions(.names, recursive: true), after: nil).entries.map(\.spelled)
        .joined(separator: "\n")
    },
    Conversation("list-no-club", [Dropbox.notFound]) { scene in
      "\(try await scene.store.list(.root, ListOptions(.names), after: nil).entries.count) entries"
    },
    Conversation(
      "list-reset", [Dropbox.cursor, Dropbox.page([Dropbox.file("/club/a")], hasMore: true), Dropbox.reset]
    ) { scene in
      let first = try await scene.store.list(.root, ListOptions(.full), after: nil)
      return "\(try await scene.store.list(.root, ListOptions(.full), after: first.next).entries.count) entries"
    },
    Conversation("entry", [.text(200, Dropbox.file("/Club/Note.md"))]) { scene in
      try await scene.store.entry(at: StorePath("note.md")).spelled
    },
    Conversation("entry-missing", [Dropbox.notFound]) { scene in
      try await scene.store.entry(at: StorePath("note.md")).spelled
    },
    Conversation("read", [Dropbox.content("hello", Dropbox.file("/club/a", tagged: false))]) { scene in
      try await scene.store.text("a")
    },
    Conversation(
      "read-range", [Dropbox.content("llo", Dropbox.file("/club/a", tagged: false), range: "bytes 2-4/5")]
    ) { scene in try await scene.store.text("a", from: 2, ifRevision: Dropbox.revision) },
    Conversation(
      "read-odd-name",
      [
        Dropbox.content(
          "hello",
          #"{"name":"\u00dcber \u65e5\u672c \ud83d\udc69\u200d\ud83d\ude80 \"q\".md","id":"id:x","rev":"a1c10ce0dd78","size":5}"#
        )
      ]
    ) { scene in try await scene.store.text(String(odd.dropFirst("/club/".count))) },
    Conversation("read-folder", [Dropbox.refusal("path/not_file", #"{".tag":"path","path":{".tag":"not_file"}}"#)]) {
      scene in try await scene.store.text("photos")
    },
    Conversation("create", [.text(200, Dropbox.file("/club/a.md", tagged: false))]) { scene in
      try await scene.store.put("hello", at: "a.md", .create).spelled
    },
    Conversation("create-conflict", [Dropbox.uploadConflict, .text(200, Dropbox.file("/club/A.md", size: 7))]) {
      scene in try await scene.store.put("hello", at: "a.md", .create).spelled
    },
    Conversation(
      "replace",
      [
        .text(200, Dropbox.file("/club/a")),
        .text(200, Dropbox.file("/club/a", revision: "a1c10ce0dd79", tagged: false)),
      ]
    ) { scene in
      let base = try #require(try await scene.store.entry(at: StorePath("a")).revision)
      return try await scene.store.put("hello", at: "a", .replace(base)).spelled
    },
    Conversation(
      "replace-unseen-base",
      [
        .text(200, Dropbox.file("/club/a")),
        .text(200, Dropbox.file("/club/a", revision: "a1c10ce0dd79", tagged: false)),
      ]
    ) { scene in try await scene.store.put("hello", at: "a", .replace(Revision(Dropbox.revision))).spelled },
    Conversation("overwrite", [.text(200, Dropbox.file("/club/a", tagged: false))]) { scene in
      try await scene.store.put("hello", at: "a", .overwrite).spelled
    },
    Conversation(
      "put-in-pieces",
      [
        Dropbox.notFound, .text(200, #"{"session_id":"AAAAAAAABCJ61k9yZZtn8Q"}"#), .text(200, "null"),
        .text(200, Dropbox.file("/club/a", size: 20, hash: ContentHash(of: "twenty bytes, a few".utf8 + [33]))),
      ]
    ) { scene in try await scene.store.put("twenty bytes, a few!", at: "a", .create).spelled },
    Conversation(
      "put-no-room",
      [Dropbox.refusal("path/insufficient_space", #"{".tag":"path","reason":{".tag":"insufficient_space"}}"#)]
    ) { scene in try await scene.store.put("hello", at: "a", .overwrite).spelled },
    Conversation(
      "session",
      [
        .text(200, #"{"session_id":"AAAAAAAABCJ61k9yZZtn8Q"}"#), .text(200, "null"),
        Dropbox.refusal("incorrect_offset", #"{".tag":"incorrect_offset","correct_offset":2}"#),
        .text(200, "null"), .text(200, Dropbox.file("/club/a", tagged: false)),
      ]
    ) { scene in
      let uploads = try #require(scene.store.capabilities.uploads)
      let path = try StorePath("a")
      let session = try await uploads.begin(path, size: nil)
      _ = try await uploads.append([104, 101], to: session, at: 0)
      let offset = try await uploads.offset(of: session)
      let reached = try await uploads.append([108, 108, 111], to: session, at: offset)
      return try await uploads.finish(session, size: reached, at: path, mode: .create).spelled
    },
    Conversation(
      "move", [.text(200, #"{"metadata":\#(Dropbox.file("/club/b/C", revision: "a1c10ce0dd7a"))}"#)]
    ) { scene in try await scene.store.move(StorePath("a"), to: StorePath("b/C"), ifRevision: nil).spelled },
    Conversation(
      "move-onto",
      [
        Dropbox.refusal("to/conflict/folder", #"{".tag":"to","to":{".tag":"conflict","conflict":{".tag":"folder"}}}"#),
        .text(200, Dropbox.folder("/club/b")),
      ]
    ) { scene in try await scene.store.move(StorePath("a"), to: StorePath("b"), ifRevision: nil).spelled },
    Conversation(
      "move-case",
      [
        Dropbox.refusal("to/conflict/file", #"{".tag":"to","to":{".tag":"conflict","conflict":{".tag":"file"}}}"#),
        .text(200, Dropbox.file("/club/a")),
        .text(200, #"{"metadata":\#(Dropbox.file("/club/byteclub renames 1"))}"#),
        .text(200, #"{"metadata":\#(Dropbox.file("/club/A"))}"#),
      ]
    ) { scene in try await scene.store.move(StorePath("a"), to: StorePath("A"), ifRevision: nil).spelled },
    Conversation("delete", [.text(200, #"{"metadata":\#(Dropbox.file("/club/a"))}"#)]) { scene in
      try await scene.store.delete(StorePath("a"), ifRevision: Revision(Dropbox.revision))
      return "deleted"
    },
    Conversation(
      "delete-conflict",
      [
        Dropbox.refusal(
          "path_write/conflict/file",
          #"{".tag":"path_write","path_write":{".tag":"conflict","conflict":{".tag":"file"}}}"#),
        .text(200, Dropbox.file("/club/a")),
      ]
    ) { scene in
      try await scene.store.delete(StorePath("a"), ifRevision: Revision("a1c10ce0dd77"))
      return "deleted"
    },
    Conversation("create-folder", [.text(200, #"{"metadata":\#(Dropbox.folder("/club/photos"))}"#)]) { scene in
      try await scene.store.createFolder(StorePath("photos"))
      return "made"
    },
    Conversation(
      "create-club",
      [
        Dropbox.refusal(
          "path/conflict/folder", #"{".tag":"path","path":{".tag":"conflict","conflict":{".tag":"folder"}}}"#)
      ]
    ) { scene in
      try await scene.store.createFolder(.root)
      return "there"
    },
    Conversation(
      "changes",
      [
        Dropbox.cursor, .text(200, #"{"changes":false}"#), .text(200, #"{"changes":true}"#),
        Dropbox.page([Dropbox.folder("/club/Sub"), Dropbox.file("/club/sub/a.md")], hasMore: true),
        Dropbox.page(
          [Dropbox.deleted("/club/old.md"), Dropbox.file("/club/.club-trash/1-1/old.md")], cursor: "CURSOR-3"),
      ]
    ) { scene in
      let feed = try #require(scene.store.capabilities.changes)
      return try await feed.wait(since: feed.start()).spelled
    },
    Conversation("changes-reset", [.text(200, #"{"changes":true}"#), Dropbox.reset, Dropbox.cursor]) { scene in
      try await #require(scene.store.capabilities.changes).wait(since: ChangeCursor("CURSOR-0")).spelled
    },
    Conversation(
      "discard",
      [
        .text(200, Dropbox.file("/club/sub/A.md")),
        .text(200, #"{"metadata":\#(Dropbox.file("/club/.club-trash/x/sub/A.md", revision: "a1c10ce0dd7b"))}"#),
      ]
    ) { scene in
      let trashed = try await #require(scene.store.capabilities.trash)
        .discard(StorePath("sub/a.md"), ifRevision: Revision(Dropbox.revision))
      return "\(trashed.id) from \(trashed.origin), \(trashed.size) bytes, \(trashed.discarded.seconds)"
    },
    Conversation(
      "restore",
      [
        Dropbox.page([
          Dropbox.folder("/club/.club-trash/dn1x98lj5slc-1"), Dropbox.folder("/club/.club-trash/dn1x98lj5slc-1/sub"),
          Dropbox.file("/club/.club-trash/dn1x98lj5slc-1/sub/A.md"),
        ]), .text(200, #"{"metadata":\#(Dropbox.file("/club/sub/A.md", revision: "a1c10ce0dd7c"))}"#),
        .text(200, #"{"metadata":\#(Dropbox.folder("/club/.club-trash/dn1x98lj5slc-1"))}"#),
      ]
    ) { scene in try await #require(scene.store.capabilities.trash).restore("dn1x98lj5slc-1").spelled },
  ]
}

extension ScriptedTransport.Recorded {
  /// The request as text.
  fileprivate var spelled: String {
    let kind =
      switch request.kind {
      case .call: "call"
      case .content: "content"
      case .shortContent: "short content"
      case .longPoll: "long poll"
      }
    var lines = ["\(request.method) \(request.url) (\(kind)\(request.isRepeatable ? ", may be repeated" : ""))"]
    lines += request.headers.fields.map { "\($0.name): \($0.value)" }
    if !body.isEmpty { lines += ["", text] }
    return lines.map { $0.isEmpty ? ">" : "> " + $0 }.joined(separator: "\n")
  }
}

extension ScriptedTransport.Answer {
  fileprivate var spelled: String {
    guard case .response(let response, let bytes) = self else { return "< nothing\n" }
    var lines = [String(response.status)] + response.headers.fields.map { "\($0.name): \($0.value)" }
    let isText = !bytes.contains { $0 == 0 }
    if !bytes.isEmpty { lines += ["", isText ? String(decoding: bytes, as: UTF8.self) : "(\(bytes.count) bytes)"] }
    return lines.map { $0.isEmpty ? "<" : "< " + $0 }.joined(separator: "\n") + "\n"
  }
}

extension FileEntry {
  var spelled: String {
    var words = ["\(kind)", "\"\(path)\""]
    if let size { words.append("\(size) bytes") }
    if let modified { words.append("modified \(modified.seconds)") }
    if let revision { words.append("revision \(revision)") }
    if let contentHash { words.append("hash \(contentHash.hex.prefix(8))") }
    return words.joined(separator: ", ")
  }
}

extension ChangeSet {
  fileprivate var spelled: String {
    var lines = changes.map { change in
      switch change {
      case .present(let entry): "present " + entry.spelled
      case .absent(let path): "absent \"\(path)\""
      }
    }
    lines.append("cursor \(cursor.value)" + (mustRelist ? ", list anew" : ""))
    return lines.joined(separator: "\n")
  }
}
