import FileStores
import Foundation
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
    (transfer.state, transfer.sent, transfer.total) = (.waiting, .max, .max)
    (transfer.rate, transfer.secondsLeft, transfer.attempts, transfer.restarts) = (1.5, 7, 2, 1)
    transfer.error = try error()
    (transfer.resumesAt, transfer.keptUntil) = (Timestamp(seconds: 1), Timestamp(seconds: 2))
    (transfer.place, transfer.entry) = ("/tmp/a", try entry())
    return transfer
  }
}

@Suite struct `What is said between processes and to the journal` {
  private func again<Form: Codable>(_ form: Form) throws -> Form {
    let line = try JSONEncoder().encode(form)
    #expect(!line.contains(0x0A), "one line")
    return try JSONDecoder().decode(Form.self, from: line)
  }

  @Test func `comes back as it was`() throws {
    for order in try Samples.orders() { #expect(try again(OrderForm(order)).order == order) }
    #expect(try again(ErrorForm(try Samples.error())).error == (try Samples.error()))
    #expect(try again(TransferForm(try Samples.transfer())).transfer == (try Samples.transfer()))
    for state in TransferState.allCases {
      var transfer = try Samples.transfer()
      transfer.state = state
      #expect(try again(TransferForm(transfer)).transfer == transfer)
    }
    for phase in TransferRecord.Phase.allCases {
      var record = try Samples.record()
      record.phase = phase
      #expect(try again(RecordForm(record)).record(id: "t1", position: .min) == record)
    }
    let bare = TransferRecord(
      id: "t", order: try Samples.orders()[1], created: Timestamp(seconds: 0), position: 0)
    #expect(try again(RecordForm(bare)).record(id: "t", position: 0) == bare)
  }

  @Test func `has a form for every command`() throws {
    var commands: [TransferCommand] = [
      .pause("a"), .resume("a"), .cancel("a"), .retry("a"), .dismiss("a"), .pauseAll, .resumeAll, .cancelAll,
      .acknowledge("t1"), .dismissFinished, .limit(nil), .limit(.max), .concurrency(4),
    ]
    commands += TransferMove.allCases.map { .move("a", $0) }
    for command in commands { #expect(try again(CommandForm(command)).command == command) }
  }

  @Test func `is a number only where it is one`() throws {
    var transfer = try Samples.transfer()
    for rate in [Double.nan, .infinity, -.infinity] {
      transfer.rate = rate
      #expect(try again(TransferForm(transfer)).transfer.rate == nil)
    }
  }

  @Test(arguments: [-1, 1e300, .infinity, .nan])
  func `is no time to wait for when it is out of range`(seconds: Double) throws {
    var form = ErrorForm(StoreError(.rateLimited, "m"))
    form.retryAfter = seconds
    #expect(try form.error.retryAfter == nil)
  }

  @Test func `is refused in words of a later version`() throws {
    var line = String(decoding: try JSONEncoder().encode(RecordForm(try Samples.record())), as: UTF8.self)
    line = line.replacingOccurrences(of: "\"wanted\"", with: "\"dreaming\"")
    let form = try JSONDecoder().decode(RecordForm.self, from: Data(line.utf8))
    #expect(throws: StoreError.self) { try form.record(id: "t", position: 0) }
    let kind = try JSONDecoder().decode(ErrorForm.self, from: Data(#"{"kind":"tired","message":"m"}"#.utf8))
    #expect(try kind.error.kind == .server)
  }
}
