import Foundation
import TestKit

extension TemporaryFolder {
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
