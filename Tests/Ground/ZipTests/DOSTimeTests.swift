import Testing

@testable import Zip

@Suite struct DOSTimeTests {
  @Test(
    "The date is in the upper half and the time in the lower, in UTC and steps of two seconds",
    arguments: [
      (315_532_800, 1980, 1, 1, 0, 0, 0), (951_827_696, 2000, 2, 29, 12, 34, 56),
      (1_000_000_000, 2001, 9, 9, 1, 46, 40), (1_735_689_599, 2024, 12, 31, 23, 59, 58),
      (4_107_542_399, 2100, 2, 28, 23, 59, 58), (4_107_542_400, 2100, 3, 1, 0, 0, 0),
    ] as [(Int64, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)])
  func words(seconds: Int64, year: UInt32, month: UInt32, day: UInt32, hour: UInt32, minute: UInt32, second: UInt32) {
    let word = DOSTime.word(seconds)
    #expect(word >> 25 + 1980 == year)
    #expect(word >> 21 & 15 == month)
    #expect(word >> 16 & 31 == day)
    #expect(word >> 11 & 31 == hour)
    #expect(word >> 5 & 63 == minute)
    #expect((word & 31) * 2 == second)
  }

  @Test(
    "What is too early or too late to be said is the first or last that can",
    arguments: [
      (Int64.min, 0x0021_0000), (-1, 0x0021_0000), (0, 0x0021_0000), (315_532_799, 0x0021_0000),
      (4_354_819_198, 0xFF9F_BF7D), (4_354_819_199, 0xFF9F_BF7D), (4_354_819_200, 0xFF9F_BF7D), (.max, 0xFF9F_BF7D),
    ] as [(Int64, UInt32)])
  func outside(seconds: Int64, word: UInt32) {
    #expect(DOSTime.word(seconds) == word)
  }
}
