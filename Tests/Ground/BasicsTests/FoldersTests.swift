import Basics
import Foundation
import TestKit
import Testing

@Suite struct FoldersTests {
  @Test func `a place has no links and no dots, also below what does not exist yet`() async throws {
    try await withTemporaryFolder { folder in
      let root = Folders.resolved(folder)
      try FileManager.default.createDirectory(atPath: root + "/real/sub", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: root + "/link", withDestinationPath: "real")
      for (path, place) in [
        ("/link", "/real"), ("/link/sub", "/real/sub"), ("/link/new/deep", "/real/new/deep"),
        ("/link/sub/..", "/real"), ("/new/../other", "/other"), ("/new/./a", "/new/a"), ("/link/../link/x", "/real/x"),
        ("/real//sub/", "/real/sub"),
      ] {
        #expect(Folders.resolved(root + path) == root + place, "\(path)")
      }
    }
    #expect(Folders.resolved("/") == "/")
    #expect(Folders.resolved("/../no such folder") == "/no such folder")
  }
}
