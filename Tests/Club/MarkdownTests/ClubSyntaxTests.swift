import Markdown
import Testing

/// Syntax that GitHub's Markdown does not have, `[[notes]]` and `#tags`, and parts of long notes.
@Suite struct ClubSyntaxTests {
  /// The inlines of the first block, as words.
  private func kinds(_ text: String) -> [String] {
    let source = Array(text.utf8)
    let document = MarkdownDocument(source)
    let inlines = document.inlines(of: 1)
    return inlines.top.compactMap { node in
      let value = inlines.nodes[node]
      let children = inlines.children(of: node).map {
        String(decoding: source[inlines.nodes[$0].range], as: UTF8.self)
      }.joined()
      switch value.kind {
      case .text: return value.range.isEmpty ? nil : String(decoding: source[value.range], as: UTF8.self)
      case .wikiLink(let note): return "note \(note): \(children)"
      case .wikiImage(let path): return "picture \(path)"
      case .tag(let tag): return "tag \(tag)"
      case .link(let target): return "link \(target.destination): \(children)"
      case .autolink(let target): return "address \(target.destination)"
      default: return "\(value.kind)"
      }
    }
  }

  @Test("A note in double brackets is a link to it, with or without words of its own") func wikiLinks() {
    #expect(kinds("see [[tides]] now") == ["see ", "note tides: tides", " now"])
    #expect(kinds("[[tides.md|the *tides*]]") == ["note tides.md: the *tides*"])
    #expect(kinds("![[photos/pier.jpg]]") == ["picture photos/pier.jpg"])
    #expect(kinds("[[a]](b)") == ["link b: [a]"])
    #expect(kinds("[[]] [[ ]] [[a\nb]]").contains { $0.hasPrefix("note") } == false)
  }

  @Test("A tag begins a word and is more than a number") func tags() {
    #expect(kinds("#pier and #low-tide, (#été)") == ["tag pier", " and ", "tag low-tide", ", (", "tag été", ")"])
    #expect(kinds("a#b #12 # c") == ["a#b #12 # c"])
    #expect(kinds("*#a*").first == "emphasis")
    #expect(kinds("[x #a](b)") == ["link b: x #a"])
    #expect(kinds("`#a`") == ["code"])
  }

  @Test("An address in a sentence ends before its full stop") func addresses() {
    #expect(
      kinds("at https://a.example/x_y_z. Mail ann@a.example!") == [
        "at ", "address https://a.example/x_y_z", ". Mail ", "address mailto:ann@a.example", "!",
      ])
  }

  @Test("A check box knows its byte") func checks() {
    let source = Array("- [ ] a\n> 1. [x] b\n".utf8)
    let document = MarkdownDocument(source)
    let checks = document.blocks.compactMap { block -> MarkdownCheck? in
      if case .item(let check) = block.kind { check } else { nil }
    }
    #expect(checks.map(\.isChecked) == [false, true])
    #expect(checks.map(\.offset) == [3, 14])
  }

  @Test("A long note in parts has the blocks of the whole, and code goes on over a cut") func parts() {
    var text = "# a\n\n"
    for number in 0..<4000 { text += "Paragraph \(number) with *words*.\n\n" }
    text += "```swift\n" + String(repeating: "let a = 1\n", count: 9000) + "```\n\nend\n"
    let source = Array(text.utf8)
    var blocks: [MarkdownBlock.Kind] = []
    var fence: MarkdownPart.Fence?
    var start = 0
    var parts = 0
    while start < source.count {
      let end = min(source.count, start + MarkdownPart.longest)
      let part = MarkdownPart(Array(source[start..<end]), isEnd: end == source.count, fence: fence)
      #expect(part.count > 0 && part.count <= MarkdownPart.longest)
      #expect(SourceCheck.faults(in: part.document) == [])
      blocks += part.document.children(of: 0).map { part.document.blocks[$0].kind }
      fence = part.fence
      start += part.count
      parts += 1
    }
    #expect(start == source.count)
    #expect(parts > 8)
    #expect(blocks.first == .heading(level: 1))
    #expect(blocks.last == .paragraph)
    #expect(blocks.filter { $0 == .paragraph }.count == 4001)
    #expect(blocks.allSatisfy { if case .html = $0 { false } else { true } })
  }
}
