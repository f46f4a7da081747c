import Backends
import FileStores
import TestKit
import Testing

/// What goes over the wire in each call: bytes sent, bytes answered, and what the store makes of them. A change of the
/// wire format is a change of `Snapshots/DropboxV1`.
@Suite struct DropboxV1Conversations {
  /// One conversation.
  struct Conversation: Sendable, CustomStringConvertible {
    let name: String
    let answers: [ScriptedTransport.Answer]
    let folder: String
    let signIn: DropboxV1SignIn
    /// Says what came of it.
    let talk: @Sendable (DropboxV1Scene) async throws -> String

    init(
      _ name: String, folder: String = "/club", signIn: DropboxV1SignIn = .bearer(StaticToken("good-token")),
      _ answers: [ScriptedTransport.Answer], _ talk: @escaping @Sendable (DropboxV1Scene) async throws -> String
    ) {
      (self.name, self.folder, self.signIn, self.answers, self.talk) = (name, folder, signIn, answers, talk)
    }

    var description: String { name }
  }

  @Test("The conversation is as recorded:", arguments: reading + writing + moving + changes + capabilities)
  func golden(_ conversation: Conversation) async throws {
    let scene = try DropboxV1Scene(conversation.answers, folder: conversation.folder, signIn: conversation.signIn) {
      $0.pieceBytes = 8
    }
    var text = ""
    let outcome: String
    do {
      outcome = try await conversation.talk(scene)
    } catch let error as StoreError {
      outcome = "\(error.kind): \(error)"
    }
    for (index, exchange) in scene.transport.recorded.enumerated() {
      text +=
        exchange.spelledV1 + "\n" + (conversation.answers.dropFirst(index).first?.spelledV1 ?? "< nothing\n") + "\n"
    }
    #expect(scene.transport.unused == 0, "answers that nobody asked for")
    expectGolden(text + outcome, named: "DropboxV1/\(conversation.name)")
  }

  private static func oauth(_ method: OAuth1Method) -> DropboxV1SignIn {
    .oauth1(consumerKey: "key", consumerSecret: "se&cret", StaticToken("at as"), method)
  }

  static let reading: [Conversation] = [
    Conversation(
      "list",
      [
        DropboxV1.cursor,
        .text(
          200,
          DropboxV1.folder(
            "/Club",
            [
              DropboxV1.file("/Club/Note.md"), DropboxV1.folder("/Club/photos"), DropboxV1.deleted("/Club/x.md"),
              DropboxV1.folder("/Club/.club-trash"),
            ])),
        .response(HTTPResponse(304), []),
      ]
    ) { scene in
      let first = try await scene.store.list(.root, ListOptions(.full), after: nil)
      let again = try await scene.store.list(.root, ListOptions(.full), after: nil)
      #expect(first.entries == again.entries)
      return first.entries.map(\.spelledV1).joined(separator: "\n")
        + "\nchanges from \(first.changes?.value ?? "nowhere"), next: \(first.next?.value ?? "none")"
    },
    Conversation(
      "list-recursive", folder: "",
      [
        DropboxV1.cursor, .text(200, DropboxV1.folder("/")),
        DropboxV1.delta(
          [
            #"["/photos",\#(DropboxV1.folder("/Photos"))]"#, #"["/photos/a.jpg",\#(DropboxV1.file("/Photos/A.jpg"))]"#,
            #"["/old",\#(DropboxV1.folder("/old"))]"#, #"["/old/x",\#(DropboxV1.file("/old/x"))]"#,
          ], reset: true, hasMore: true),
        DropboxV1.delta([#"["/old",null]"#, #"["/b.md",\#(DropboxV1.file("/B.md"))]"#], cursor: "CURSOR-3"),
      ]
    ) { scene in
      try await scene.store.list(.root, ListOptions(.names, recursive: true), after: nil).entries.map(\.spelledV1)
        .sorted().joined(separator: "\n")
    },
    Conversation(
      "list-recursive-without-delta",
      [
        DropboxV1.refusal(405, "no"), .text(200, DropboxV1.folder("/club")),
        .text(200, DropboxV1.folder("/club", [DropboxV1.folder("/club/Sub"), DropboxV1.file("/club/a")])),
        .text(200, DropboxV1.folder("/club/Sub", [DropboxV1.file("/club/Sub/b")])),
      ]
    ) { scene in
      let page = try await scene.store.list(.root, ListOptions(.names, recursive: true), after: nil)
      #expect(page.changes == nil && scene.store.capabilities.changes == nil)
      return page.entries.map(\.spelledV1).sorted().joined(separator: "\n")
    },
    Conversation(
      "list-too-many",
      [
        DropboxV1.cursor, DropboxV1.refusal(406, "Too many files"), .text(200, DropboxV1.folder("/club/many")),
        DropboxV1.delta([
          #"["/club/many",\#(DropboxV1.folder("/club/many"))]"#,
          #"["/club/many/a",\#(DropboxV1.file("/club/many/a"))]"#,
          #"["/club/many/b/c",\#(DropboxV1.file("/club/many/b/c"))]"#,
        ]),
      ]
    ) { scene in
      try await scene.store.list(StorePath("many"), ListOptions(.full), after: nil).entries.map(\.spelledV1)
        .joined(separator: "\n")
    },
    Conversation("list-no-club", [DropboxV1.cursor, DropboxV1.notFound]) { scene in
      "\(try await scene.store.list(.root, ListOptions(.names), after: nil).entries.count) entries"
    },
    Conversation("entry", [.text(200, DropboxV1.file("/Club/Note.md"))]) { scene in
      try await scene.store.entry(at: StorePath("note.md")).spelledV1
    },
    Conversation("entry-deleted", [.text(200, DropboxV1.deleted("/club/note.md"))]) { scene in
      try await scene.store.entry(at: StorePath("note.md")).spelledV1
    },
    Conversation("entry-plaintext", signIn: oauth(.plaintext), [.text(200, DropboxV1.file("/club/a"))]) { scene in
      try await scene.store.entry(at: StorePath("a")).spelledV1
    },
    Conversation("entry-signed", signIn: oauth(.hmacSHA1), [.text(200, DropboxV1.file("/club/ü ~%.md"))]) { scene in
      try await scene.store.entry(at: StorePath("ü ~%.md")).spelledV1
    },
    Conversation("read", [DropboxV1.content("hello", DropboxV1.file("/club/a"))]) { scene in
      try await scene.store.text("a")
    },
    Conversation("read-range", [DropboxV1.content("llo", DropboxV1.file("/club/a"), range: "bytes 2-4/5")]) { scene in
      try await scene.store.text("a", from: 2, ifRevision: DropboxV1.revision)
    },
    Conversation("read-without-range", [DropboxV1.content("hello", DropboxV1.file("/club/a"))]) { scene in
      try await scene.store.text("a", from: 2)
    },
    Conversation(
      "read-silent-server",
      [
        DropboxV1.content("hello", nil), .text(200, DropboxV1.file("/club/a")), DropboxV1.content("hello", nil),
      ]
    ) { scene in try await scene.store.text("a") },
    Conversation("read-folder", [DropboxV1.notFound, .text(200, DropboxV1.folder("/club/photos"))]) { scene in
      try await scene.store.text("photos")
    },
    Conversation("account", [.text(200, #"{"uid":12345,"display_name":"Ada","email":"ada@example.org"}"#)]) { scene in
      let account = try await scene.store.account()
      return "\(account.name) <\(account.email ?? "")>"
    },
  ]

  static let writing: [Conversation] = [
    Conversation("create", [DropboxV1.notFound, .text(200, DropboxV1.file("/club/a b.md"))]) { scene in
      try await scene.store.put("hello", at: "a b.md", .create).spelledV1
    },
    Conversation("create-there", [.text(200, DropboxV1.file("/club/A.md"))]) { scene in
      try await scene.store.put("hello", at: "a.md", .create).spelledV1
    },
    Conversation(
      "create-conflict",
      [DropboxV1.notFound, DropboxV1.refusal(409, "Conflict"), .text(200, DropboxV1.file("/club/A.md", size: 7))]
    ) { scene in try await scene.store.put("hello", at: "a.md", .create).spelledV1 },
    Conversation(
      "create-renamed",
      [
        DropboxV1.notFound, .text(200, DropboxV1.file("/club/a (1).md", revision: "372e2029684fe")),
        .text(200, DropboxV1.file("/club/a (1).md", revision: "372e2029684fe")),
        .text(200, DropboxV1.deleted("/club/a (1).md")), .text(200, DropboxV1.file("/club/a.md")),
      ]
    ) { scene in try await scene.store.put("hello", at: "a.md", .create).spelledV1 },
    Conversation(
      "replace",
      [.text(200, DropboxV1.file("/club/a")), .text(200, DropboxV1.file("/club/a", revision: "382e2029684fe"))]
    ) {
      scene in try await scene.store.put("hello", at: "a", .replace(Revision(DropboxV1.revision))).spelledV1
    },
    Conversation(
      "replace-conflict",
      [
        .text(200, DropboxV1.file("/club/a")), DropboxV1.refusal(409, "Conflict"),
        .text(200, DropboxV1.file("/club/a", revision: "392e2029684fe")),
      ]
    ) { scene in try await scene.store.put("hello", at: "a", .replace(Revision(DropboxV1.revision))).spelledV1 },
    Conversation(
      "replace-renamed",
      [
        .text(200, DropboxV1.file("/club/a")),
        .text(200, DropboxV1.file("/club/a (conflicted copy)", revision: "3a2e2029684fe")),
        .text(200, DropboxV1.file("/club/a (conflicted copy)", revision: "3a2e2029684fe")),
        DropboxV1.refusal(500, "oops"), .text(200, DropboxV1.file("/club/a", revision: "392e2029684fe")),
      ]
    ) { scene in try await scene.store.put("hello", at: "a", .replace(Revision(DropboxV1.revision))).spelledV1 },
    Conversation("overwrite", [.text(200, DropboxV1.file("/club/a"))]) { scene in
      try await scene.store.put("hello", at: "a", .overwrite).spelledV1
    },
    Conversation("overwrite-signed", signIn: oauth(.hmacSHA1), [.text(200, DropboxV1.file("/club/a"))]) { scene in
      try await scene.store.put("hello", at: "a", .overwrite).spelledV1
    },
    Conversation(
      "form",
      [
        DropboxV1.refusal(405, "no"), DropboxV1.notFound, .text(200, DropboxV1.folder("/club/s")),
        .text(200, DropboxV1.file("/club/s/a.md")), .text(200, #"{"result":"winner!"}"#),
        .text(200, DropboxV1.file("/club/s/b.md")),
      ]
    ) { scene in
      let first = try await scene.store.put("hello", at: "s/a.md", .overwrite)
      return first.spelledV1 + "\n" + (try await scene.store.put("hello", at: "s/b.md", .overwrite).spelledV1)
    },
    Conversation(
      "form-signed", signIn: oauth(.hmacSHA1), [DropboxV1.refusal(501, "no"), .text(200, DropboxV1.file("/club/ü.md"))]
    ) { scene in try await scene.store.put("hello", at: "ü.md", .overwrite).spelledV1 },
    Conversation(
      "put-in-pieces",
      [
        DropboxV1.notFound,
        .text(200, #"{"upload_id":"v0k84B0AT9fYkfMUp0sBTA","offset":8,"expires":"Tue, 19 Jul 2011 21:55:38 +0000"}"#),
        .text(200, #"{"upload_id":"v0k84B0AT9fYkfMUp0sBTA","offset":16}"#),
        .text(200, #"{"upload_id":"v0k84B0AT9fYkfMUp0sBTA","offset":20}"#),
        .text(200, DropboxV1.file("/club/a", size: 20)),
      ]
    ) { scene in try await scene.store.put("twenty bytes, a few!", at: "a", .create).spelledV1 },
    Conversation("put-no-room", [DropboxV1.refusal(507, "over quota")]) { scene in
      try await scene.store.put("hello", at: "a", .overwrite).spelledV1
    },
    Conversation(
      "chunks",
      [
        .text(200, #"{"upload_id":"U","offset":0}"#), .text(200, #"{"upload_id":"U","offset":2}"#),
        .text(400, #"{"upload_id":"U","offset":2,"error":"Submitted input out of alignment: got [1] expected [2]"}"#),
        .text(200, #"{"upload_id":"U","offset":5}"#),
        .text(400, #"{"upload_id":"U","offset":5,"error":"Submitted input out of alignment: got [1] expected [5]"}"#),
        DropboxV1.notFound, .text(200, DropboxV1.file("/club/a")),
      ]
    ) { scene in
      let uploads = try #require(scene.store.capabilities.uploads)
      let path = try StorePath("a")
      let session = try await uploads.begin(path, size: nil)
      _ = try await uploads.append([104, 101], to: session, at: 0)
      let offset = try await uploads.offset(of: session)
      let reached = try await uploads.append([108, 108, 111], to: session, at: offset)
      return try await uploads.finish(session, size: reached, at: path, mode: .create).spelledV1
    },
    Conversation("chunks-gone", [DropboxV1.refusal(404, "No upload with upload_id found.")]) { scene in
      "\(try await #require(scene.store.capabilities.uploads).offset(of: UploadSession("U")))"
    },
  ]

  static let moving: [Conversation] = [
    Conversation("move", [.text(200, DropboxV1.file("/club/b/C", revision: "3b2e2029684fe"))]) { scene in
      try await scene.store.move(StorePath("a"), to: StorePath("b/C"), ifRevision: nil).spelledV1
    },
    Conversation(
      "move-onto", [DropboxV1.refusal(403, "A file with that name exists"), .text(200, DropboxV1.folder("/club/b"))]
    ) {
      scene in try await scene.store.move(StorePath("a"), to: StorePath("b"), ifRevision: nil).spelledV1
    },
    Conversation(
      "move-overtaken",
      [
        .text(200, DropboxV1.file("/club/a")), .text(200, DropboxV1.file("/club/b", revision: "3d2e2029684fe")),
        .text(
          200,
          "[\(DropboxV1.deleted("/club/a")),\(DropboxV1.file("/club/a", revision: "3c2e2029684fe")),\(DropboxV1.file("/club/a"))]"
        ),
        .text(200, DropboxV1.file("/club/a", revision: "3e2e2029684fe")),
        .text(200, DropboxV1.file("/club/a", revision: "3e2e2029684fe")),
      ]
    ) { scene in
      try await scene.store.move(StorePath("a"), to: StorePath("b"), ifRevision: Revision(DropboxV1.revision)).spelledV1
    },
    Conversation(
      "move-case",
      [
        DropboxV1.refusal(403, "A file with that name exists"), .text(200, DropboxV1.file("/club/a")),
        .text(200, DropboxV1.file("/club/byteclub renames 1")), .text(200, DropboxV1.file("/club/A")),
      ]
    ) { scene in try await scene.store.move(StorePath("a"), to: StorePath("A"), ifRevision: nil).spelledV1 },
    Conversation(
      "delete",
      [
        .text(200, DropboxV1.file("/club/a")), .text(200, DropboxV1.deleted("/club/a")),
        .text(200, "[\(DropboxV1.deleted("/club/a")),\(DropboxV1.file("/club/a"))]"),
      ]
    ) { scene in
      try await scene.store.delete(StorePath("a"), ifRevision: Revision(DropboxV1.revision))
      return "deleted"
    },
    Conversation(
      "delete-overtaken",
      [
        .text(200, DropboxV1.file("/club/a")), .text(200, DropboxV1.deleted("/club/a")),
        .text(
          200,
          "[\(DropboxV1.deleted("/club/a")),\(DropboxV1.file("/club/a", revision: "3c2e2029684fe")),\(DropboxV1.file("/club/a"))]"
        ),
        .text(200, DropboxV1.file("/club/a", revision: "3e2e2029684fe")),
        .text(200, DropboxV1.file("/club/a", revision: "3e2e2029684fe")),
      ]
    ) { scene in
      try await scene.store.delete(StorePath("a"), ifRevision: Revision(DropboxV1.revision))
      return "deleted"
    },
    Conversation("create-folder", [.text(200, DropboxV1.folder("/club/photos"))]) { scene in
      try await scene.store.createFolder(StorePath("photos"))
      return "made"
    },
    Conversation(
      "create-club", [DropboxV1.refusal(403, "already exists"), .text(200, DropboxV1.folder("/club"))]
    ) { scene in
      try await scene.store.createFolder(.root)
      return "there"
    },
    Conversation(
      "discard",
      [
        .text(200, DropboxV1.file("/club/sub/A.md")),
        .text(200, DropboxV1.file("/club/.club-trash/x/sub/A.md", revision: "3f2e2029684fe")),
        .text(200, "[\(DropboxV1.deleted("/club/sub/a.md")),\(DropboxV1.file("/club/sub/a.md"))]"),
      ]
    ) { scene in
      let trashed = try await #require(scene.store.capabilities.trash)
        .discard(StorePath("sub/a.md"), ifRevision: Revision(DropboxV1.revision))
      return "\(trashed.id) from \(trashed.origin), \(trashed.size) bytes, \(trashed.discarded.seconds)"
    },
    Conversation(
      "restore",
      [
        DropboxV1.delta([
          #"["/club/.club-trash/dn1x98lj5slc-1",\#(DropboxV1.folder("/club/.club-trash/dn1x98lj5slc-1"))]"#,
          #"["/club/.club-trash/dn1x98lj5slc-1/sub/a.md",\#(DropboxV1.file("/club/.club-trash/dn1x98lj5slc-1/sub/A.md"))]"#,
        ]), .text(200, DropboxV1.file("/club/sub/A.md", revision: "402e2029684fe")),
        .text(200, DropboxV1.deleted("/club/.club-trash/dn1x98lj5slc-1")),
      ]
    ) { scene in try await #require(scene.store.capabilities.trash).restore("dn1x98lj5slc-1").spelledV1 },
  ]

  static let changes: [Conversation] = [
    Conversation(
      "changes",
      [
        DropboxV1.cursor, .text(200, #"{"changes":false}"#), .text(200, #"{"changes":true}"#),
        DropboxV1.delta(
          [
            #"["/club/sub",\#(DropboxV1.folder("/club/Sub"))]"#,
            #"["/club/sub/a.md",\#(DropboxV1.file("/club/Sub/A.md"))]"#,
          ],
          hasMore: true),
        DropboxV1.delta(
          [
            #"["/club/sub/a.md",null]"#, #"["/club/old.md",null]"#, #"["/club/unknown.md",null]"#,
            #"["/club/.club-trash/1-1/old.md",\#(DropboxV1.file("/club/.club-trash/1-1/old.md"))]"#,
          ], cursor: "CURSOR-3"),
        .text(200, DropboxV1.deleted("/club/Old.md")), DropboxV1.notFound,
      ]
    ) { scene in
      let feed = try #require(scene.store.capabilities.changes)
      return try await feed.wait(since: feed.start()).spelledV1
    },
    Conversation(
      "changes-reset", [.text(200, #"{"changes":true}"#), DropboxV1.delta([], reset: true), DropboxV1.cursor]
    ) { scene in try await #require(scene.store.capabilities.changes).wait(since: ChangeCursor("CURSOR-0")).spelledV1 },
    Conversation("changes-bad-cursor", [DropboxV1.refusal(400, "Invalid cursor"), DropboxV1.cursor]) { scene in
      try await #require(scene.store.capabilities.changes).wait(since: ChangeCursor("made up")).spelledV1
    },
    Conversation("changes-unknown", [DropboxV1.refusal(404, "no such route"), DropboxV1.delta([])]) { scene in
      try await #require(scene.store.capabilities.changes).wait(since: ChangeCursor("CURSOR-0")).spelledV1
    },
  ]
}
