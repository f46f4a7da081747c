import Testing

@testable import byteclub

struct ProgressLineTests {
  private func line(
    _ what: String, isDone: Bool = false, sent: UInt64, total: UInt64?, rate: Double? = nil, left: Int? = nil,
    hasBar: Bool = true
  ) -> String {
    ProgressLine.text(what, isDone: isDone, sent: sent, total: total, rate: rate, secondsLeft: left, hasBar: hasBar)
  }

  @Test func `a running upload tells share, bytes, rate and time left`() {
    #expect(
      line("Uploading garage.jpg", sent: 12_741_000, total: 28_311_552, rate: 4_299_161, left: 4)
        == "Uploading garage.jpg  [#########-----------]  45 %  12.2 of 27.0 MiB  4.1 MiB/s  4 s")
  }

  @Test func `all bytes sent is not done, and done is what the store says`() {
    #expect(line("Finishing x", sent: 10, total: 10, hasBar: false) == "Finishing x  99 %  10 of 10 B")
    #expect(line("Uploaded x", isDone: true, sent: 10, total: 10, hasBar: false) == "Uploaded x  100 %  10 of 10 B")
  }

  @Test func `two units are told when they differ`() {
    #expect(line("Uploading x", sent: 10, total: 2048, hasBar: false) == "Uploading x  0 %  10 B of 2.0 KiB")
  }

  @Test func `what is not known is left out`() {
    #expect(line("Uploading x", sent: 0, total: nil) == "Uploading x")
    #expect(line("Uploading x", sent: 2048, total: nil, left: 4000) == "Uploading x  2.0 KiB  1 h 6 min")
  }
}
