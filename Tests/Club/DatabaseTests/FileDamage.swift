import TestKit
import Testing

extension TemporaryFolder {
  /// Turns over a bit of every copy of `mark` in a file. Returns how many copies there were.
  func damage(_ name: String, at mark: String) throws -> Int {
    var bytes = try #require(self.bytes(name))
    let mark = Array(mark.utf8)
    var count = 0
    var index = 0
    while index + mark.count <= bytes.count {
      if bytes[index] == mark[0], bytes[index..<(index + mark.count)].elementsEqual(mark) {
        bytes[index] ^= 1
        count += 1
      }
      index += 1
    }
    try write(name, bytes)
    return count
  }
}
