import TestKit
import Testing

@testable import Merge

@Suite struct ResolutionTests {
  private func resolution(
    _ base: String?, _ mine: String, _ theirs: String, lineBreak: String = "\n"
  ) -> Resolution {
    Resolution(
      base: base.map { Array($0.utf8) }, mine: Array(mine.utf8), theirs: Array(theirs.utf8),
      lineBreak: Array(lineBreak.utf8))
  }

  private func string(_ text: [UInt8]?) -> String? { text.map { String(decoding: $0, as: UTF8.self) } }

  @Test func `parts are whole lines, and safe merges have a choice from the beginning`() {
    let resolution = resolution(
      "a\nThe old red boat.\nb\nc\n", "a\nThe new red boat.\nb\nmine\n", "a\nThe old red ship.\nb\ntheirs\n")
    #expect(resolution.parts.map { string($0.mine) } == ["The new red boat.\n", "mine\n"])
    #expect(resolution.parts.map { string($0.theirs) } == ["The old red ship.\n", "theirs\n"])
    #expect(resolution.parts.map(\.choice) == [.merged, nil])
    #expect(string(resolution.parts[0].text) == "The new red ship.\n")
    #expect(resolution.openCount == 1 && resolution.text == nil && resolution.nextOpen(from: 0) == 1)
    #expect(resolution.pieces.count == 4)
  }

  @Test func `without a base each difference needs a choice`() {
    let resolution = resolution(nil, "a\nmine\nb\n", "a\nb\ntheirs\n")
    #expect(resolution.parts.map { string($0.mine) } == ["mine\n", ""])
    #expect(resolution.parts.map(\.choice) == [nil, nil])
  }

  @Test(arguments: [
    (Resolution.Choice.mine, "a\nmine\n"), (.theirs, "a\ntheirs\n"), (.both, "a\nmine\ntheirs\n"),
    (.edited(Array("edited".utf8)), "a\nedited"),
  ])
  func `a choice is the text of its part`(choice: Resolution.Choice, text: String) {
    var resolution = resolution("a\nb\n", "a\nmine\n", "a\ntheirs\n")
    resolution.choose(choice, at: 0)
    #expect(string(resolution.text) == text)
  }

  @Test func `both versions of a last line without an end stay two lines`() {
    var resolution = resolution("a", "mine", "theirs")
    resolution.choose(.both, at: 0)
    #expect(string(resolution.text) == "mine\ntheirs")
  }

  @Test func `a line that had no end gets that of the whole text`() {
    var last = resolution("a\r\nb", "a\r\nmine", "a\r\ntheirs", lineBreak: "\r\n")
    #expect(string(last.textWithBoth) == "a\r\nmine\r\ntheirs")
    last.choose(.both, at: 0)
    #expect(string(last.text) == "a\r\nmine\r\ntheirs")
    var first = resolution("a\r\nb\r\n", "mine\r\nb\r\n", "theirs\r\nb\r\n", lineBreak: "\r\n")
    first.choose(.edited(Array("edited".utf8)), at: 0)
    #expect(string(first.text) == "edited\r\nb\r\n")
  }

  @Test func `an edited part before other lines ends its line`() {
    var resolution = resolution("a\nb\n", "mine\nb\n", "theirs\nb\n")
    resolution.choose(.edited(Array("edited".utf8)), at: 0)
    #expect(string(resolution.text) == "edited\nb\n")
  }

  @Test func `undo and redo go through the choices`() {
    var resolution = resolution("a\nb\nc\n", "1\nb\n2\n", "3\nb\n4\n")
    let start = resolution
    resolution.choose(.mine, at: 0)
    resolution.choose(.theirs, at: 1)
    #expect(string(resolution.text) == "1\nb\n4\n")
    #expect(resolution.undo() == 1)
    #expect(resolution.undo() == 0)
    #expect(resolution.undo() == nil)
    #expect(resolution.parts == start.parts)
    #expect(resolution.redo() == 0 && resolution.redo() == 1 && resolution.redo() == nil)
    #expect(string(resolution.text) == "1\nb\n4\n")
    _ = resolution.undo()
    resolution.chooseAll(.mine)
    #expect(resolution.redo() == nil)
    #expect(string(resolution.text) == "1\nb\n2\n")
  }

  @Test func `choices move to a newer resolution where their parts have stayed`() {
    var old = resolution("a\nb\nc\n", "1\nb\n2\n", "3\nb\n4\n")
    old.choose(.both, at: 0)
    old.choose(.mine, at: 1)
    var new = resolution("a\nb\nc\n", "1\nb\n2\n", "3\nb\nnewer\n")
    new.take(choicesOf: old)
    #expect(new.parts.map(\.choice) == [.both, nil])
  }

  @Test func `bytes that are no text are one part`() {
    var resolution = Resolution(undivided: [0, 1, 0x0A, 2], [0, 3, 0x0A, 2])
    #expect(resolution.parts.count == 1)
    resolution.chooseAll(.theirs)
    #expect(resolution.text == [0, 3, 0x0A, 2])
  }

  // MARK: Laws

  private static let seeds = (0..<1500).map { UInt64($0) }

  /// The resolution of random versions, with and without their base.
  private static func random(_ seed: UInt64) -> (MergeLawTests.Versions, Resolution) {
    let versions = MergeLawTests.Versions(seed: seed &+ 90_000)
    let base = seed % 3 == 0 ? nil : versions.base
    return (versions, Resolution(base: base, mine: versions.mine, theirs: versions.theirs))
  }

  @Test func `all mine is mine, and all theirs is theirs`() {
    for seed in Self.seeds {
      let (versions, start) = Self.random(seed)
      var resolution = start
      resolution.chooseAll(.mine)
      #expect(resolution.text == versions.mine, "seed \(seed)")
      resolution.chooseAll(.theirs)
      #expect(resolution.text == versions.theirs, "seed \(seed)")
    }
  }

  @Test func `a merge without a conflict is the text at the beginning`() {
    for seed in Self.seeds where seed % 3 != 0 {
      let (versions, resolution) = Self.random(seed)
      let merge = TextMerge(base: versions.base, mine: versions.mine, theirs: versions.theirs)
      #expect(resolution.text == merge.text, "seed \(seed)")
      #expect((resolution.openCount > 0) == merge.hasConflicts, "seed \(seed)")
    }
  }

  @Test func `undo leads to the start from any choices`() {
    for seed in Self.seeds {
      let (_, start) = Self.random(seed)
      var (resolution, random) = (start, SeededNumbers(seed))
      for _ in 0..<6 where !start.parts.isEmpty {
        let choice: Resolution.Choice = [.mine, .theirs, .both, .merged, .edited([0x61])][random.below(5)]
        resolution.choose(choice, at: random.below(start.parts.count))
      }
      while resolution.undo() != nil {}
      #expect(resolution.parts == start.parts, "seed \(seed)")
    }
  }

  @Test func `each line of each side is in the result unless its part chose the other side`() {
    for seed in Self.seeds {
      let (_, start) = Self.random(seed)
      var (resolution, random) = (start, SeededNumbers(seed))
      for part in start.parts.indices { resolution.choose([.mine, .theirs, .both][random.below(3)], at: part) }
      let text = resolution.text ?? []
      var kept: [[UInt8]] = []
      for piece in resolution.pieces {
        switch piece {
        case .same(let same): kept += same.lines
        case .part(let number):
          let part = resolution.parts[number]
          if part.choice != .theirs { kept += part.mine.lines }
          if part.choice != .mine { kept += part.theirs.lines }
        }
      }
      #expect(text.lines == kept, "seed \(seed)")
      for part in start.parts.indices {
        #expect(resolution.textWithBoth[resolution.offset(of: part)...].starts(with: resolution.parts[part].text ?? []))
      }
    }
  }
}

extension [UInt8] {
  /// The lines without their line feeds.
  fileprivate var lines: [[UInt8]] {
    var lines = split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
