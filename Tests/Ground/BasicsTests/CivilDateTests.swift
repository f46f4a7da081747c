import Basics
import Testing

struct CivilDateTests {
  @Test(arguments: [
    (0, 1970, 1, 1), (-1, 1969, 12, 31), (59, 1970, 3, 1), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1),
    (-25_509, 1900, 2, 28), (-25_508, 1900, 3, 1), (-719_468, 0, 3, 1), (-719_469, 0, 2, 29),
    (2_932_896, 9999, 12, 31), (-719_529, -1, 12, 31),
  ])
  func `a day and its number`(_ row: (days: Int, year: Int, month: Int, day: Int)) {
    let date = CivilDate(year: row.year, month: row.month, day: row.day)
    #expect(CivilDate(daysSince1970: row.days) == date)
    #expect(date.daysSince1970 == row.days)
  }

  @Test func `every day of 800 years follows the one before`() {
    var last = CivilDate(daysSince1970: -146_097)
    for days in -146_096...146_097 {
      let date = CivilDate(daysSince1970: days)
      let ends = last.day == CivilDate.days(inMonth: last.month, of: last.year)
      let isNext =
        switch (ends, last.month) {
        case (false, _): (date.year, date.month, date.day) == (last.year, last.month, last.day + 1)
        case (true, 12): (date.year, date.month, date.day) == (last.year + 1, 1, 1)
        case (true, _): (date.year, date.month, date.day) == (last.year, last.month + 1, 1)
        }
      if !isNext || date.daysSince1970 != days || date.weekday != (last.weekday + 1) % 7 {
        Issue.record("\(days): \(last), then \(date)")
        return
      }
      last = date
    }
  }

  @Test func `the day of the week`() {
    #expect(CivilDate(year: 1970, month: 1, day: 1).weekday == 4)
    #expect(CivilDate(year: 2026, month: 11, day: 22).weekday == 0)
    #expect(CivilDate(year: 1969, month: 12, day: 28).weekday == 0)
  }

  @Test(arguments: [0, 1, -1, 86_399, 86_400, -86_400, 951_782_399, 253_402_300_799, -62_167_219_200])
  func `a second and its time of day`(_ seconds: Int) {
    let time = CivilTime(secondsSince1970: seconds)
    #expect(time.secondsSince1970 == seconds)
    #expect(0..<24 ~= time.hour && 0..<60 ~= time.minute && 0..<60 ~= time.second)
  }
}
