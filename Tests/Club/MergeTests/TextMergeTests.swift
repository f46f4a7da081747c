import Testing

@testable import Merge

@Suite struct TextMergeTests {
  private func merge(_ base: String, _ mine: String, _ theirs: String) -> TextMerge {
    TextMerge(base: Array(base.utf8), mine: Array(mine.utf8), theirs: Array(theirs.utf8))
  }

  private func text(_ base: String, _ mine: String, _ theirs: String) -> String? {
    merge(base, mine, theirs).text.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "changes at different places go together",
    arguments: [
      // Lines.
      ("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"),
      ("a\nb\nc\n", "a\nc\n", "a\nb\nc\nd\n", "a\nc\nd\n"),
      ("a\nb\nc", "a\nb\nc\nd\n", "x\na\nb\nc", "x\na\nb\nc\nd\n"),
      ("one\r\ntwo\r\nthree\r\n", "ONE\r\ntwo\r\nthree\r\n", "one\r\ntwo\r\nTHREE\r\n", "ONE\r\ntwo\r\nTHREE\r\n"),
      // The same change is made once.
      ("a\nb\n", "a\nx\n", "a\nx\n", "a\nx\n"), ("", "new\n", "new\n", "new\n"),
      ("a\nb\nc\n", "a\nc\n", "a\nc\n", "a\nc\n"),
      // Sentences of one paragraph.
      (
        "The boat leaves at nine. Bring a coat. We eat at noon.\n",
        "The boat leaves at ten. Bring a coat. We eat at noon.\n",
        "The boat leaves at nine. Bring a coat. We eat at one.\n",
        "The boat leaves at ten. Bring a coat. We eat at one.\n"
      ),
      // Neighbouring lines.
      (
        "first line here\nsecond line here\n", "first row here\nsecond line here\n",
        "first line here\nsecond line there\n", "first row here\nsecond line there\n"
      ),
      // Scripts without spaces.
      ("日本語の文章。二番目の文。\n", "日本語の長い文章。二番目の文。\n", "日本語の文章。二番目の短い文。\n", "日本語の長い文章。二番目の短い文。\n"),
      // New items of one list, in the order of their bytes.
      ("- a\n", "- a\n- c\n", "- a\n- b\n", "- a\n- b\n- c\n"),
      ("- a\n", "- a\n- b\n", "- a\n- c\n", "- a\n- b\n- c\n"),
      ("# List\n", "# List\n1. x\n2. y\n", "# List\n1. x\n", "# List\n1. x\n2. y\n"),
      // A tick and a change of the same item; new items that differ in their ticks.
      ("- [ ] milk\n", "- [x] milk\n", "- [ ] oat milk\n", "- [x] oat milk\n"),
      ("- [x] milk\n", "- [ ] milk\n", "- [x] oat milk\n", "- [ ] oat milk\n"),
      ("- [x] milk\n", "- [ ] oat milk\n", "- [x] oat milk\n", "- [ ] oat milk\n"),
      ("a\n", "a\n- [x] milk\n", "a\n- [ ] milk\n", "a\n- [x] milk\n"),
      ("a\n", "a\n- [x] b\n- [ ] c\n", "a\n- [ ] b\n- [X] c\n- b\n", "a\n- [x] b\n- [x] c\n- b\n"),
      ("a\n", "a\n- b\n- b\n", "a\n- b\n- c\n", "a\n- b\n- b\n- c\n"),
      // Between equal lines that leave no choice.
      ("a\n\na\n\na\n", "a\n\nM\n\na\n\na\n", "a\n\na\n\nT\n\na\n", "a\n\nM\n\na\n\nT\n\na\n"),
      (
        "- [ ] a\n- [ ] b\n- [ ] c\n", "- [x] a\n- [ ] b\n- [ ] c\n", "- [ ] a\n- [x] b\n- [ ] c\n",
        "- [x] a\n- [x] b\n- [ ] c\n"
      ),
    ])
  func merges(base: String, mine: String, theirs: String, merged: String) {
    #expect(text(base, mine, theirs) == merged)
  }

  @Test(
    "what only a member can decide is a conflict",
    arguments: [
      // One place, two changes.
      ("a\n", "b\n", "c\n"), ("", "mine\n", "theirs\n"), ("a\n", "a\nmine\n", "a\ntheirs\n"),
      ("We meet at nine.\n", "We meet at ten.\n", "We meet at eleven.\n"),
      // A deleted line, sentence or item that the other changed.
      ("a\nold line\nb\n", "a\nb\n", "a\nold line, changed\nb\n"),
      ("One. Two words. Three.\n", "One. Three.\n", "One. Two other words. Three.\n"),
      ("- a\n- b\n- c\n", "- a\n- c\n", "- a\n- b, large\n- c\n"),
      ("text\n", "", "text, more\n"),
      // Which of the equal lines was meant, nobody knows.
      ("x\nx\nx\n", "x\nx\nx\nx\n", "x\nx\n"), ("b\nb\nb\n", "b\nNEW\nb\nb\n", "b\nb\n"),
      ("d\na\nd\n", "d\na\nNEW\nd\n", "d\na\na\na\nd\n"),
      // New items at different depths.
      ("- a\n", "- a\n- b\n  - b1\n", "- a\n- c\n"),
    ])
  func conflicts(base: String, mine: String, theirs: String) {
    #expect(merge(base, mine, theirs).hasConflicts && text(base, mine, theirs) == nil)
    #expect(merge(base, theirs, mine).hasConflicts)
  }

  @Test func `a conflict leaves the rest merged, and its lines are whole`() {
    let merge = merge("a\nb b\nc\nd\n", "A\nb mine\nc\nd\n", "a\nb theirs\nc\nD\n")
    #expect(merge.regions.map(\.kind) == [.conflict, .same, .theirs])
    #expect(merge.regions[0].mine == 0..<9 && merge.regions[0].theirs == 0..<11)
  }

  @Test(
    "a merge inside one sentence asks for a look",
    arguments: [
      ("The old boat leaves at nine.\n", "The new boat leaves at nine.\n", "The old boat leaves at ten.\n", true),
      (
        "The boat leaves. We eat at nine.\n", "The ship leaves. We eat at nine.\n", "The boat leaves. We eat at ten.\n",
        false
      ),
      ("- [ ] buy milk\n", "- [x] buy milk\n", "- [ ] buy oat milk\n", false),
    ])
  func close(base: String, mine: String, theirs: String, isClose: Bool) {
    let merge = merge(base, mine, theirs)
    #expect(!merge.hasConflicts && merge.isClose == isClose)
  }

  @Test func `a link, an address, code and a box are single words`() {
    let text = Array("see [[my note]], https://a.example/x?y=1 or `a b` [ ] end".utf8)
    let units = TextUnits.words(text, 0..<text.count)
    let words = (0..<units.count).map { String(decoding: text[units.bytes(of: $0..<$0 + 1)], as: UTF8.self) }
    #expect(words == ["see ", "[[my note]]", ", ", "https://a.example/x?y=1 ", "or ", "`a b` ", "[ ] ", "end"])
  }

  @Test func `bytes that are no text, and marks without an end, are merged like words`() {
    let base: [UInt8] = [0xFF, 0x20, 0x5B, 0x5B, 0x20, 0x60, 0x20, 0xE3, 0x0A]
    let merge = TextMerge(base: base, mine: [0xFE] + base.dropFirst(), theirs: base.dropLast() + [0x20, 0x80])
    #expect(merge.text == [0xFE] + base.dropFirst().dropLast() + [0x20, 0x80])
  }

  @Test func `large texts with nothing in common end as one conflict`() {
    func lines(_ name: String) -> [UInt8] { (0..<20_000).flatMap { Array("\(name) \($0 % 7) \($0)\n".utf8) } }
    let merge = TextMerge(base: lines("a"), mine: lines("b"), theirs: lines("c"))
    #expect(merge.regions.map(\.kind) == [.conflict])
  }
}
