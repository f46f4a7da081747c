import FileStores
import JSON
import Testing
import Transfers

@testable import ClubServices

/// Everything that can be said, as full as it can be.
enum Samples {
  static func error() throws -> StoreError {
    StoreError(
      .exists, "There is a \"ü\".", remedy: "Choose.", path: try StorePath("photos/ü.jpg"), retryAfter: .seconds(2.5),
      current: try entry())
  }

  static func entry() throws -> FileEntry {
    FileEntry(
      path: try StorePath([0x70, 0xFF, 0x0A]), kind: .file, size: .max, modified: Timestamp(nanoseconds: -1),
      revision: Revision("r \"1\""), contentHash: ContentHash(of: [1]), member: "ann")
  }

  static func orders() throws -> [TransferOrder] {
    [
      TransferOrder(
        club: "home", store: "dropbox:a\nb",
        work: .upload(
          file: "/tmp/g\u{1B}.jpg", size: .max, contentHash: ContentHash(of: [2]), name: [0xFF, 0x00], number: 2),
        path: try StorePath("photos/g (2).jpg"), name: "g (2).jpg", renamedFrom: "g.jpg"),
      TransferOrder(
        club: "", store: "", work: .upload(file: "", size: 0, contentHash: nil, name: [], number: 1), path: .root,
        name: ""),
      TransferOrder(
        club: "home", store: "folder:/x", work: .download(folder: "/tmp"), path: try StorePath([0xC3, 0x28]),
        name: "\u{FFFD}("),
    ]
  }

  static func record() throws -> TransferRecord {
    var record = TransferRecord(
      id: "t1", order: try orders()[0], created: Timestamp(nanoseconds: .max), position: .min)
    record.path = try StorePath([0xFF, 0x41])
    record.session = UploadSession("s\"1")
    record.sessionBegan = Timestamp(seconds: 5)
    record.offset = .max
    record.total = .max
    record.sourceStamp = "1:2:3"
    record.revision = Revision("rev")
    record.contentHash = ContentHash(of: [3])
    record.part = [0x2E, 0xFF]
    (record.attempts, record.restarts) = (3, 2)
    record.notBefore = Timestamp(seconds: 9)
    record.error = try error()
    record.place = "/tmp/x"
    record.ended = Timestamp(seconds: 10)
    return record
  }

  static func transfer() throws -> Transfer {
    var transfer = Transfer(id: "t1", direction: .download, name: "a\n", path: try StorePath([0xFF]))
    (transfer.club, transfer.renamedFrom, transfer.local) = ("home", "b", "/tmp")
    (transfer.state, transfer.sent, transfer.kept, transfer.total) = (.waiting, .max, 7, .max)
    (transfer.rate, transfer.secondsLeft, transfer.attempts, transfer.restarts) = (1.5, 7, 2, 1)
    transfer.error = try error()
    (transfer.resumesAt, transfer.keptUntil) = (Timestamp(seconds: 1), Timestamp(seconds: 2))
    (transfer.place, transfer.entry) = ("/tmp/a", try entry())
    return transfer
  }
}

@Suite struct `What is said between processes and to the journal` {
  private func again(_ json: JSONValue) throws -> JSONValue {
    let line = Array(json.encoded.utf8)
    #expect(!line.contains(0x0A), "one line")
    return try JSONReader.read(line)
  }

  private func again(_ record: TransferRecord) throws -> TransferRecord {
    try TransferRecord(again(record.json), id: record.id, position: record.position)
  }

  @Test func `comes back as it was`() throws {
    for order in try Samples.orders() { #expect(try TransferOrder(again(order.json)) == order) }
    #expect(try StoreError(json: again(Samples.error().json)) == (try Samples.error()))
    for state in TransferState.allCases {
      var transfer = try Samples.transfer()
      transfer.state = state
      #expect(try Transfer(again(transfer.json)) == transfer)
    }
    for phase in TransferRecord.Phase.allCases {
      var record = try Samples.record()
      record.phase = phase
      #expect(try again(record) == record)
    }
    let bare = TransferRecord(
      id: "t", order: try Samples.orders()[1], created: Timestamp(seconds: 0), position: 0)
    #expect(try again(bare) == bare)
  }

  /// Rows as byteclub wrote them before rows had a version.
  private static let rows: [(body: String, record: @Sendable () throws -> TransferRecord)] = [
    (
      ##"""
      {"attempts":3,"error":{"kind":"exists","path":"photos\/ü.jpg","retryAfter":2.5,"current":{"path":{"base64":"cP8K"},
      "member":"ann","hash":"9c12cfdc04c74584d787ac3d23772132c18524bc7ab28dec4219b8fc5b425f70","modified":-1,
      "size":18446744073709551615,"revision":"r \"1\""},"message":"There is a \"ü\".","remedy":"Choose."},
      "isTold":false,"hash":"c942a06c127c2c18022677e888020afb174208d299354f3ecfedb124a1f3fa45","session":"s\"1",
      "phase":"wanted","place":"\/tmp\/x","sourceStamp":"1:2:3","ended":10000000000,"restarts":2,
      "notBefore":9000000000,"order":{"path":"photos\/g (2).jpg","upload":{"file":"\/tmp\/g\u001b.jpg",
      "number":2,"size":18446744073709551615,"hash":"1cc3adea40ebfd94433ac004777d68150cce9db4c771bc7de1b297a7b795bbba",
      "name":{"base64":"\/wA="}},"club":"home","store":"dropbox:a\nb","renamedFrom":"g.jpg","name":"g (2).jpg"},
      "revision":"rev","created":9223372036854775807,"offset":18446744073709551615,"sessionBegan":5000000000,
      "total":18446744073709551615,"path":{"base64":"\/0E="},"part":{"base64":"Lv8="}}
      """##,
      { try Samples.record() }
    ),
    (
      ##"""
      {"order":{"downloadFolder":"\/tmp","store":"folder:\/x","club":"home","path":{"base64":"wyg="},
      "name":"�("},"revision":"r","restarts":0,"partBoot":"boot","isTold":false,"phase":"paused",
      "total":9,"created":7000000000,"offset":5,"part":".a.byteclub-part-1","path":{"base64":"wyg="},
      "attempts":0}
      """##,
      {
        var record = TransferRecord(
          id: "t1", order: try Samples.orders()[2], created: Timestamp(seconds: 7), position: .min)
        (record.phase, record.part, record.partBoot) = (.paused, Array(".a.byteclub-part-1".utf8), "boot")
        (record.revision, record.offset, record.total) = (Revision("r"), 5, 9)
        return record
      }
    ),
    (
      ##"""
      {"order":{"path":"","store":"","club":"","name":"","upload":{"name":"","file":"","size":0,"number":1}},
      "phase":"wanted","restarts":0,"created":0,"total":0,"path":"","offset":0,"isTold":false,"attempts":0}
      """##,
      {
        TransferRecord(id: "t1", order: try Samples.orders()[1], created: Timestamp(seconds: 0), position: .min)
      }
    ),
  ]

  @Test(arguments: 0..<3) func `is read as earlier versions wrote it`(row: Int) throws {
    let (body, record) = Self.rows[row]
    let json = try JSONReader.read(Array(body.replacing("\n", with: "").utf8))
    #expect(try TransferRecord(json, id: "t1", position: .min) == record())
  }

  @Test func `has a form for every message`() throws {
    let (error, transfer) = (try Samples.error(), try Samples.transfer())
    var messages: [TransferMessage] = [
      .hello(version: 1, journal: "j"), .add(1, try Samples.orders()), .list(2, ofLocal: nil), .askLimit(3), .attach(4),
      .list(5, ofLocal: "/a.jpg"),
      .welcome(version: 3, process: 7), .refused(error), .added(1, ["a", "b"]), .done(2), .failed(3, error),
      .listed(4, [transfer]), .limit(5, nil), .limit(6, .max), .event(.appeared(transfer)),
      .event(.progressed(transfer)), .event(.resumed(transfer)), .event(.entered(transfer)),
      .event(.finished(transfer)), .event(.disappeared("a")), .event(.reordered(["a", "b"])),
    ]
    var commands: [TransferCommand] = [
      .pause("a"), .resume("a"), .cancel("a"), .retry("a"), .dismiss("a"), .pauseAll,
      .acknowledge("t1"), .limit(nil), .limit(.max),
    ]
    commands += TransferMove.allCases.map { .move("a", $0) }
    messages += commands.map { .perform(9, $0) }
    for message in messages { #expect(TransferMessage(message.line, maxBytes: 1 << 20) == message) }
    #expect(TransferMessage(messages[1].line, maxBytes: 10) == nil)
  }

  @Test func `is a number only where it is one`() throws {
    var transfer = try Samples.transfer()
    for rate in [Double.nan, .infinity, -.infinity] {
      transfer.rate = rate
      #expect(try Transfer(again(transfer.json)).rate == nil)
    }
  }

  @Test(arguments: ["-1", "1e300", "null"])
  func `is no time to wait for when it is out of range`(seconds: String) throws {
    let json = try JSONReader.read(
      Array(#"{"kind":"rateLimited","message":"m","retryAfter":\#(seconds)}"#.utf8))
    #expect(try StoreError(json: json).retryAfter == nil)
  }

  @Test(arguments: [#""phase":"dreaming""#, #""version":2,"phase":"wanted""#])
  func `is refused in words of a later version`(words: String) throws {
    let line = try Samples.record().json.encoded.replacing(#""version":1,"#, with: "")
      .replacing(#""phase":"wanted""#, with: words)
    let error = #expect(throws: StoreError.self) {
      try TransferRecord(try JSONReader.read(Array(line.utf8)), id: "t", position: 0)
    }
    #expect(error?.kind == .unsupported)
    let kind = try JSONReader.read(Array(#"{"kind":"tired","message":"m"}"#.utf8))
    #expect(try StoreError(json: kind).kind == .server)
  }
}
