import TestKit
import Testing

@testable import Merge

@Suite struct TextDiffTests {
  private func diff(_ old: String, _ new: String) -> TextDiff { TextDiff(from: Array(old.utf8), to: Array(new.utf8)) }

  @Test func `blocks cover both texts, and equal lines are the same`() {
    for seed in 0..<1000 {
      let versions = MergeLawTests.Versions(seed: UInt64(seed))
      let diff = TextDiff(from: versions.mine, to: versions.theirs)
      #expect(diff.blocks.flatMap { diff.oldText(of: $0.old) } == versions.mine, "seed \(seed)")
      #expect(diff.blocks.flatMap { diff.newText(of: $0.new) } == versions.theirs, "seed \(seed)")
      for block in diff.blocks where block.isSame {
        #expect(Array(diff.oldText(of: block.old)) == Array(diff.newText(of: block.new)), "seed \(seed)")
      }
      #expect(zip(diff.blocks, diff.blocks.dropFirst()).allSatisfy { $0.isSame != $1.isSame }, "seed \(seed)")
    }
  }

  @Test func `hunks have lines around the changes, and near changes share one`() {
    let lines = (1...20).map { "\($0)\n" }
    var changed = lines
    changed[4] = "five\n"
    changed[8] = "nine\n"
    changed[18] = "nineteen\n"
    let hunks = diff(lines.joined(), changed.joined()).hunks(context: 2)
    #expect(hunks.map(\.old) == [2..<11, 16..<20])
    #expect(hunks.map(\.new) == [2..<11, 16..<20])
    #expect(diff("a\n", "a\n").hunks(context: 3).isEmpty)
    #expect(diff("", "a\n").hunks(context: 3).map(\.new) == [0..<1])
  }

  @Test func `the words that differ are marked on each side`() {
    let (removed, added) = TextDiff.words(
      from: Array("The old boat is [ ] red".utf8)[...], to: Array("The new boat is [x] very red".utf8)[...])
    #expect(removed == [4..<8, 16..<20])
    #expect(added == [4..<8, 16..<25])
  }

  @Test func `added and removed lines are counted`() {
    let diff = diff("a\nb\nc\n", "a\nB\nc\nd\n")
    #expect(diff.addedLines == 2 && diff.removedLines == 1 && !diff.isEmpty)
  }
}
