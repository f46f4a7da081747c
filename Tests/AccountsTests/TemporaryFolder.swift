import Foundation
import TestKit

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

  /// A shell script that can be started. Another program writes it: while somebody has a file open for writing it cannot
  /// be started (ETXTBSY), and that may be a child that some other test begins at this moment.
  func script(_ name: String, _ text: String) throws -> String {
    let file = "\(path)/\(name)"
    let writing = try Spawn(
      "/bin/sh", ["-c", "cat >\"$0\" && chmod 700 \"$0\"", file], environment: ["PATH": "/usr/bin:/bin"],
      input: Array("#!/bin/sh\n\(text)\n".utf8)
    ).finish()
    guard writing.status == 0 else { throw CocoaError(.fileWriteUnknown) }
    return file
  }
}
