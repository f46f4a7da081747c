import Testing
import TextUI

@Suite struct FormatTests {
  @Test(arguments: [
    (0, "0 B"), (340, "340 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1229, "1.2 KiB"), (1_048_524, "1023.9 KiB"),
    (1_048_575, "1.0 MiB"),
    (28_311_552, "27.0 MiB"), (1 << 30, "1.0 GiB"), (.max, "8.0 EiB"), (-5, "0 B"),
  ])
  func `numbers of bytes`(bytes: Int, text: String) { #expect(ByteCount.text(bytes) == text) }

  @Test(arguments: [
    (12_687_769, 28_311_552, "12.0 of 27.0 MiB"), (12_687_770, 28_311_552, "12.1 of 27.0 MiB"),
    (28_311_551, 28_311_552, "26.9 of 27.0 MiB"), (1_731, 1_731, "1.7 of 1.7 KiB"), (1_730, 1_731, "1.6 of 1.7 KiB"),
    (28_311_552, 28_311_552, "27.0 of 27.0 MiB"), (5, 300, "5 of 300 B"), (0, 0, "0 of 0 B"), (10, 5, "5 of 5 B"),
    (.max, .max, "8.0 of 8.0 EiB"),
    (-1, 2048, "0.0 of 2.0 KiB"),
  ])
  func `bytes of bytes`(done: Int, total: Int, text: String) { #expect(ByteCount.text(done, of: total) == text) }

  @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_000, "-1,000")])
  func `thousands are grouped`(number: Int, text: String) { #expect(number.grouped == text) }

  @Test func rates() { #expect(ByteCount.rate(4_299_162) == "4.1 MiB/s") }

  @Test(arguments: [
    (0, "now"), (59, "now"), (60, "1 min"), (119, "1 min"), (3599, "59 min"), (3600, "1 h"), (86_399, "23 h"),
    (86_400, "1 d"), (7 * 86_400 - 1, "6 d"),
    (7 * 86_400, "1 w"), (63 * 86_400 - 1, "8 w"), (63 * 86_400, "2026-01-17"), (-60, "now"), (-61, "2026-03-21"),
    (.max - 2_000_000_000, "0001-01-01"),
  ])
  func ages(seconds: Int, text: String) {
    // 21 March 2026, noon UTC.
    let now = 1_774_094_400
    #expect(Age.text(of: now - seconds, now: now) == text)
  }

  @Test(arguments: [
    (0, "1970-01-01"), (-1, "1969-12-31"), (951_782_400, "2000-02-29"), (1_709_164_800, "2024-02-29"),
    (1_772_323_200, "2026-03-01"),
    (4_107_542_400, "2100-03-01"), (.max, "9999-12-31"), (.min, "0001-01-01"),
  ])
  func dates(moment: Int, text: String) { #expect(Age.date(of: moment) == text) }

  @Test func `local time moves the date`() {
    #expect(Age.date(of: 86_399, offset: 1) == "1970-01-02")
    #expect(Age.date(of: 0, offset: -1) == "1969-12-31")
    #expect(Age.time(of: 1_772_323_200, offset: 20_700) == "2026-03-01 05:45")
    #expect(Age.time(of: 0, offset: -60) == "1969-12-31 23:59" && Age.time(of: .min, offset: 0) == "0001-01-01 00:00")
  }

  @Test func `the text changes when it was said to, and not before`() {
    let moment = 1_700_000_000
    var now = moment - 4000
    var changes = 0
    while let wait = Age.secondsUntilChange(of: moment, now: now) {
      #expect(wait > 0)
      let text = Age.text(of: moment, now: now)
      #expect(Age.text(of: moment, now: now + wait - 1) == text)
      #expect(Age.text(of: moment, now: now + wait) != text)
      now += wait
      changes += 1
    }
    #expect(changes == 1 + 59 + 1 + 23 + 6 + 7 + 1)
    #expect(Age.secondsUntilChange(of: .min, now: .max) == nil)
  }

  @Test(arguments: [
    (0, "0 s"), (4, "4 s"), (60, "1 min"), (200, "3 min 20 s"), (3600, "1 h"), (3601, "1 h"), (7500, "2 h 5 min"),
    (273_600, "3 d 4 h"), (100 * 86_400, "> 99 d"),
    (.max, "> 99 d"), (-9, "0 s"),
  ])
  func spans(seconds: Int, text: String) { #expect(TimeSpan.text(seconds: seconds) == text) }
}
