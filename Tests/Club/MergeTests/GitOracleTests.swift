import Foundation
import TestKit
import Testing

import Merge

/// Random versions of a text, compared with `git merge-file`, which merges by lines.
@Suite struct GitOracleTests {
  private static let git = "/usr/bin/git"

  /// The merge; nil for a conflict.
  private func merged(_ base: [UInt8], _ mine: [UInt8], _ theirs: [UInt8], _ folder: TemporaryFolder) throws -> [UInt8]?
  {
    for (name, text) in [("base", base), ("mine", mine), ("theirs", theirs)] { try folder.write(name, text) }
    let arguments = ["merge-file", "-p", "-q"] + ["mine", "base", "theirs"].map(folder.file)
    let outcome = try Spawn(Self.git, arguments, environment: ["HOME": folder.path]).finish()
    return outcome.status == 0 ? outcome.output : nil
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: git), "git is not installed"))
  func `where git merges without a conflict, the text is the same, or a member decides`() throws {
    let folder = try TemporaryFolder()
    var (same, ours, gits) = (0, 0, 0)
    for seed in 0..<400 {
      let versions = MergeLawTests.Versions(seed: UInt64(seed) &+ 50_000)
      let theirs = try merged(versions.base, versions.mine, versions.theirs, folder)
      let merge = TextMerge(base: versions.base, mine: versions.mine, theirs: versions.theirs)
      switch (merge.text, theirs) {
      case (let text?, let other?):
        #expect(text == other, "seed \(seed)")
        same += 1
      case (.some, nil): ours += 1
      case (nil, .some): gits += 1
      case (nil, nil): break
      }
    }
    // Words, items and boxes merge where lines do not; equal lines that leave a choice are a member's.
    #expect(same > 100 && ours > gits, "\(same) \(ours) \(gits)")
  }
}
