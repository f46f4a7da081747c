import Foundation
import Markdown
import TestKit
import Testing
import XML

/// Notes as HTML for a page that anyone may open.
@Suite struct MarkdownHTMLTests {
  private func html(_ note: String) -> String { MarkdownHTML.text(MarkdownDocument(Array(note.utf8))) }

  private static let elements: Set<String> = [
    "page", "p", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "blockquote", "pre", "code", "ul", "ol", "li", "input",
    "div",
    "table", "tr", "th", "td", "br", "em", "strong", "del", "mark", "a", "span",
  ]
  private static let classes: Set<String> = [
    "task", "scroll", "left", "center", "right", "other", "tag", "picture",
  ]

  /// The first thing in an element that a page must not have; nil if it is sound.
  private func fault(_ node: XMLNode, in link: Bool = false) -> String? {
    let name = node.name.local
    guard Self.elements.contains(name) else { return "<\(name)>" }
    if name == "a", link { return "a link in a link" }
    for attribute in node.attributes {
      let value = attribute.value
      let isSound =
        switch attribute.name.local {
        case "dir": value == "auto"
        case "class": Self.classes.contains(value)
        case "rel": value == "noopener noreferrer nofollow"
        case "href": ["http://", "https://", "mailto:", "#footnote-"].contains { value.lowercased().hasPrefix($0) }
        case "id": value.hasPrefix("footnote-") && Int(value.dropFirst(9)) != nil
        case "start", "colspan", "value": Int(value) != nil
        case "type": value == "checkbox"
        case "disabled", "checked": true
        default: false
        }
      guard isSound else { return "\(attribute.name.local)=\(value)" }
    }
    return node.children.lazy.compactMap { fault($0, in: link || name == "a") }.first
  }

  private func expectSound(_ note: [UInt8], _ what: String) {
    let page = "<page>" + MarkdownHTML.text(MarkdownDocument(note)) + "</page>"
    do {
      let limits = XMLReader.Limits()
      let fault = fault(try XMLNodes.read(Array(page.utf8), limits))
      #expect(fault == nil, "\(what): \(fault ?? "")")
    } catch {
      Issue.record("\(what) is not well-formed: \(error)\n\(page)")
    }
  }

  @Test("All examples of the specification give well-formed HTML of harmless elements alone") func specification() {
    for example in SpecificationTests.examples {
      expectSound(Array(example.markdown.utf8), "example \(example.number)")
    }
  }

  @Test("Random bytes give well-formed HTML of harmless elements alone") func random() {
    let alphabet = Array("<>&\"'[]()!*_`~#|-+:\\\n\n \t/ax=1.\u{0}\u{1B}".utf8) + [0xC3, 0xA4, 0xFF, 0xEF, 0xBF, 0xBF]
    var numbers = SeededNumbers(7)
    for round in 0..<TestTier.process.rounds(300) {
      let note = (0..<200).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &numbers)] }
      expectSound(note, "round \(round)")
    }
  }

  @Test(
    "Raw HTML is text",
    arguments: [
      "<script>alert(1)</script>", "a <img src=x onerror=alert(1)> b", "<style>*{display:none}</style>",
      "<a href=\"javascript:alert(1)\">x</a>", "`<b>`", "    <b>", "\\<b\\>", "&lt;b&gt;",
      "<svg/onload=x>",
    ]) func raw(note: String)
  {
    #expect(!html(note).contains("<script") && !html(note).contains("<img") && !html(note).contains("<style"))
    #expect(!html(note).contains("<b>") && !html(note).contains("<a ") && !html(note).contains("<svg"))
    #expect(html(note).contains("&lt;"))
  }

  @Test(
    "What other programs write is on the page as in the app",
    arguments: [
      ("---\na: b\n---\nc", "<pre>a: b\n</pre>\n<p dir=\"auto\">c</p>\n"),
      ("<!-- c -->\n\na <!-- d --> b<br>c", "<p dir=\"auto\">a  b<br />\nc</p>\n"),
      (
        "a[^b] [^a]\n\n[^a]: A\n\nc\n\n[^b]: B\n[^b]: again",
        "<p dir=\"auto\">a<a href=\"#footnote-1\">[1]</a> <a href=\"#footnote-2\">[2]</a></p>\n"
          + "<p dir=\"auto\">c</p>\n<hr />\n<ol>\n<li value=\"1\" id=\"footnote-1\" dir=\"auto\">B\n</li>\n"
          + "<li value=\"1\" dir=\"auto\">again\n</li>\n"
          + "<li value=\"2\" id=\"footnote-2\" dir=\"auto\">A\n</li>\n</ol>\n"
      ),
      (
        "[a[^1]](https://x.example)\n\n> [^1]: b",
        "<p dir=\"auto\"><a rel=\"noopener noreferrer nofollow\" href=\"https://x.example\">a[1]</a></p>\n"
          + "<blockquote>\n</blockquote>\n<hr />\n<ol>\n"
          + "<li value=\"1\" id=\"footnote-1\" dir=\"auto\">b\n</li>\n</ol>\n"
      ),
      (
        "1. [ ] a",
        "<ol>\n<li dir=\"auto\"><input type=\"checkbox\" disabled=\"disabled\" />\na\n</li>\n</ol>\n"
      ),
    ]) func otherPrograms(note: String, page: String)
  {
    #expect(html(note) == page)
  }

  @Test("Only addresses of the web and of mail are links, without a word about the page they are on") func links() {
    #expect(
      html("[a](https://x.example/?a&b)")
        == "<p dir=\"auto\"><a rel=\"noopener noreferrer nofollow\" href=\"https://x.example/?a&amp;b\">a</a></p>\n")
    #expect(html("<mailto:a@x.example?attach=/etc/passwd>").contains("href=\"mailto:a@x.example\""))
    for target in [
      "javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "//x.example/",
      "other.md",
      "#heading", "https://user@x.example/", "java&#10;script:x", "https:x", "\\javascript:x",
    ] {
      #expect(!html("[a](\(target))").contains("href"), "\(target)")
      #expect(html("[a](\(target))").contains(">a<"))
    }
  }

  @Test("Pictures, notes and tags of the club are words") func club() {
    #expect(html("![The pier](photos/pier.jpg)") == "<p dir=\"auto\"><span class=\"picture\">The pier</span></p>\n")
    #expect(html("![](photos/pier.jpg)").contains(">photos/pier.jpg<"))
    #expect(html("![[pier.jpg]]").contains(">pier.jpg<"))
    #expect(
      html("[[Welcome|Hello]] #walk").contains("<span class=\"other\">Hello</span> <span class=\"tag\">#walk</span>"))
    #expect(!html("![x](https://tracker.example/p.gif)").contains("https"))
  }

  @Test("Control characters and marks that turn the order of letters are not sent on") func controls() {
    let page = html("a\u{202E}b\u{202D}c\u{7}d\u{9B}e\u{FFFE}f")
    #expect(page == "<p dir=\"auto\">a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}f</p>\n")
    #expect(HTMLText.name("a\u{200D}b\u{2066}c\u{AD}d\ne") == "a\u{200D}b\u{FFFD}c\u{FFFD}d\u{FFFD}e")
    #expect(HTMLText.escaped("<\"'&>") == "&lt;&quot;&#39;&amp;&gt;")
  }

  @Test("A long address does not multiply with its references", arguments: ["[a] ", "![][a] "])
  func references(each: String) {
    let target = "http://x/" + String(repeating: "a", count: 50_000)
    let note = String(repeating: each, count: 20_000) + "\n\n[a]: " + target + "\n"
    let page = html(note)
    #expect(page.utf8.count < 20 * note.utf8.count, "\(page.utf8.count)")
    #expect(page.contains(target))
    // A short note's links are all there.
    #expect(html("[a](http://x/y) [b](http://x/z)").components(separatedBy: "<a ").count == 3)
  }

  @Test("A wide head does not multiply with short rows") func tables() {
    let columns = 500
    let head = String(repeating: "|a", count: columns) + "|\n" + String(repeating: "|-", count: columns) + "|\n"
    let note = head + String(repeating: "|b|\n", count: 2000)
    #expect(html(note).utf8.count < 60 * note.utf8.count)
    #expect(html("|a|b|\n|-|-|\n|c|\n").contains("<tr><td dir=\"auto\">c</td><td colspan=\"1\"></td></tr>"))
  }
}
