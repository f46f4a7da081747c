import Foundation
import Markdown
import Testing

/// The examples of the GFM specification that Debian's package "cmark-gfm" carries.
@Suite struct SpecificationTests {
  static let examples: [SpecExample] = {
    let text = try? Shell.run("/bin/gzip", ["-dc", "/usr/share/doc/cmark-gfm/spec.txt.gz"])
    return SpecExample.all(in: text ?? "")
  }()

  @Test("All 649 examples and the 24 of GitHub's extensions are there") func count() {
    let extensions = Self.examples.filter { !$0.kind.isEmpty }
    #expect(Self.examples.count == 673)
    #expect(extensions.count == 24)
  }

  @Test("Each example has the structure that the specification says") func structure() {
    for example in Self.examples {
      let document = MarkdownDocument(
        Array(example.markdown.utf8), options: example.kind == "autolink" ? [.addresses] : [])
      let html = HTMLRenderer.html(document, isFiltered: example.kind == "tagfilter")
      #expect(HTMLRenderer.normal(html) == HTMLRenderer.normal(example.html), "example \(example.number)")
    }
  }

  @Test("Each example's source ranges are exact", arguments: [[], MarkdownDocument.Options.club]) func ranges(
    options: MarkdownDocument.Options
  ) {
    for example in Self.examples {
      let faults = SourceCheck.faults(in: MarkdownDocument(Array(example.markdown.utf8), options: options))
      #expect(faults == [], "example \(example.number)")
    }
  }

  /// In a text of one line each, an example parsed as a part is the same as parsed whole.
  @Test("Each example is the same as a part of a note") func parts() {
    for example in Self.examples {
      let source = Array(example.markdown.utf8)
      let part = MarkdownPart(source, isEnd: true, options: [])
      #expect(part.count == source.count)
      #expect(HTMLRenderer.html(part.document) == HTMLRenderer.html(MarkdownDocument(source, options: [])))
    }
  }
}
