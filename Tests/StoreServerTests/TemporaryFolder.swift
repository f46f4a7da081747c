import Foundation
import Glibc
import TestKit

/// A new folder for one test, gone afterwards.
func withTemporaryFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
  let path = NSTemporaryDirectory() + "/byteclub-test-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  defer { removeFolder(path) }
  guard let real = realpath(path, nil) else { return try await body(path) }
  defer { free(real) }
  return try await body(String(cString: real))
}

func contents(_ path: String) -> String? {
  FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
}

/// Writes a file as another program would.
func write(_ text: String, to path: String) throws {
  try FileManager.default.createDirectory(
    atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
  try Data(text.utf8).write(to: URL(fileURLWithPath: path))
}

/// Everything below a folder, by path from there.
func everything(below path: String) -> [String] {
  (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []).sorted()
}
