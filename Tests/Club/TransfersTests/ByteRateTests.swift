import Testing
import Transfers

struct ByteRateTests {
  @Test(
    arguments: [
      ("500K", 512_000), ("2M", 2_097_152), ("1.5 MiB/s", 1_572_864), ("1gb", 1_073_741_824), ("800", 800),
      ("1b/s", 1), (".5k", 512),
    ] as [(String, UInt64)])
  func `a rate is read in powers of 1,024`(text: String, bytes: UInt64) {
    #expect(ByteRate(text)?.bytesPerSecond == bytes)
  }

  @Test func `off is no limit`() throws { #expect(try #require(ByteRate(" Off ")).bytesPerSecond == nil) }

  @Test(arguments: ["", "fast", "-1", "0", "0.4", "1e9", "5 miles", "K", "1..2K", "9999999G", "/s", "nan"])
  func `what is no rate is refused`(text: String) { #expect(ByteRate(text) == nil) }
}
