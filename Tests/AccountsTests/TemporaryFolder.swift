import Foundation

/// A folder of its own for one test, gone with the last reference.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "byteclub-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: "\(path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }

  /// A shell script that can be started.
  func script(_ name: String, _ text: String) throws -> String {
    let file = "\(path)/\(name)"
    try Data(("#!/bin/sh\n" + text + "\n").utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file)
    return file
  }
}
