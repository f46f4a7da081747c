import Testing
import Foundation

/// A folder of its own for one test, gone with the last reference.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let place = FileManager.default.temporaryDirectory.appending(path: "byteclub-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    path = place.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
  func names(in folder: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: file(folder))) ?? []).sorted()
  }
  func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: file(name)).map { Array($0) } }
  func write(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: file(name))) }
  func remove(_ name: String) { try? FileManager.default.removeItem(atPath: file(name)) }
  func mode(_ name: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: file(name)))?[.posixPermissions] as? Int
  }

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
