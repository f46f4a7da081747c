internal import FileStores

/// A time as the API writes it: `2015-05-12T15:50:38Z`, in UTC. Fractions are read and dropped.
struct DropboxTime: Sendable {
  let timestamp: Timestamp

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
      let year = DropboxTime.number(bytes[0..<4]), let month = DropboxTime.number(bytes[5..<7]), 1...12 ~= month,
      let day = DropboxTime.number(bytes[8..<10]), 1...31 ~= day, let hour = DropboxTime.number(bytes[11..<13]),
      hour < 24, let minute = DropboxTime.number(bytes[14..<16]), minute < 60,
      let second = DropboxTime.number(bytes[17..<19]), second <= 60
    else { return nil }
    // Days since 1970 with years that begin in March, so that the leap day is a year's last.
    let (y, m) = month <= 2 ? (year - 1, month + 9) : (year, month - 3)
    let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468
    timestamp = Timestamp(seconds: days * 86_400 + hour * 3600 + minute * 60 + second)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      ? Int64(String(decoding: digits, as: UTF8.self)) : nil
  }
}
