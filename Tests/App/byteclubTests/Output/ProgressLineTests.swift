import FileStores
import Testing
import Transfers

@testable import byteclub

struct ProgressLineTests {
  private func line(
    _ what: String, _ state: TransferState = .running, sent: UInt64, total: UInt64?, rate: Double? = nil,
    left: Int? = nil, hasBar: Bool = true, isASCII: Bool = false
  ) throws -> String {
    var transfer = Transfer(id: "1", direction: .upload, name: "x", path: try StorePath("x"))
    (transfer.state, transfer.sent, transfer.total) = (state, sent, total)
    (transfer.rate, transfer.secondsLeft) = (rate, left)
    return ProgressLine.text(what, transfer, hasBar: hasBar, isASCII: isASCII)
  }

  @Test(arguments: [(false, "━━━━━━━━━───────────"), (true, "[#########-----------]")])
  func `a running upload tells share, bytes, rate and time left`(isASCII: Bool, bar: String) throws {
    #expect(
      try line("Uploading garage.jpg", sent: 12_741_000, total: 28_311_552, rate: 4_299_161, left: 4, isASCII: isASCII)
        == "Uploading garage.jpg  \(bar)  45 %  12.1 of 27.0 MiB  4.1 MiB/s  4 s")
  }

  @Test func `all bytes sent is not done, and done is what the store says`() throws {
    #expect(try line("Finishing x", .finishing, sent: 10, total: 10, hasBar: false) == "Finishing x  99 %  10 of 10 B")
    #expect(
      try line("Uploaded x", .done, sent: 10, total: 10, left: 0, hasBar: false) == "Uploaded x  100 %  10 of 10 B")
  }

  @Test func `both numbers have the unit of the whole`() throws {
    #expect(try line("Uploading x", sent: 10, total: 2048, hasBar: false) == "Uploading x  0 %  0.0 of 2.0 KiB")
  }

  @Test func `what is not known is left out`() throws {
    #expect(try line("Uploading x", sent: 0, total: nil) == "Uploading x")
    #expect(try line("Uploading x", sent: 2048, total: nil, left: 4000) == "Uploading x  2.0 KiB  1 h 6 min")
  }
}
