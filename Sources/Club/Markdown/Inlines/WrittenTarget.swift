internal import TextUI

/// The target of a link, a picture or a definition of a note, where the note writes it.
public struct WrittenTarget: Sendable, Hashable {
  public enum Form: Sendable, Hashable {
    /// `[[target]]`.
    case wiki
    /// `![[target]]`.
    case wikiPicture
    /// `[text](target)`, `![text](target)` or `[label]: target`.
    case address
    /// An address in angles.
    case angled
  }

  public let form: Form
  /// Source bytes, without brackets, angles and the words behind a bar.
  public let range: Range<Int>
  /// With escapes and entities decoded, but not percent signs.
  public let text: String

  /// Longer ones lead to no file.
  private static let longest = 4096

  private init?(_ form: Form, _ range: Range<Int>, in source: [UInt8], at start: Int) {
    guard !range.isEmpty, range.count <= Self.longest else { return nil }
    let isAngled = form == .address && range.lowerBound > 0 && source[range.lowerBound - 1] == UInt8(ascii: "<")
    self.form = isAngled ? .angled : form
    self.range = (start + range.lowerBound)..<(start + range.upperBound)
    text = form == .address ? InlineText.decoded(source[range]) : String(decoding: source[range], as: UTF8.self)
  }

  /// The targets of a note in their order. Code, raw HTML and bare addresses have none.
  public static func all(in bytes: [UInt8]) -> [WrittenTarget] {
    var all: [WrittenTarget] = []
    var parts = MarkdownParts(TextBuffer(bytes))
    var start = 0
    while let part = parts.next() {
      part.document.addTargets(to: &all, at: start)
      start += part.count
    }
    return all.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  fileprivate static func of(_ inline: MarkdownInline, in source: [UInt8], at start: Int) -> WrittenTarget? {
    guard let range = inline.target else { return nil }
    return switch inline.kind {
    case .wikiLink: WrittenTarget(.wiki, range, in: source, at: start)
    case .wikiImage: WrittenTarget(.wikiPicture, range, in: source, at: start)
    default: WrittenTarget(.address, range, in: source, at: start)
    }
  }

  fileprivate static func ofDefinition(_ range: Range<Int>, in source: [UInt8], at start: Int) -> WrittenTarget? {
    WrittenTarget(.address, range, in: source, at: start)
  }
}

extension MarkdownDocument {
  fileprivate func addTargets(to all: inout [WrittenTarget], at start: Int) {
    all += definitions.compactMap { WrittenTarget.ofDefinition($0, in: source, at: start) }
    var open = [0]
    while let block = open.popLast() {
      open += children(of: block)
      let inlines = inlines(of: block)
      var nodes = inlines.top
      while let node = nodes.popLast() {
        nodes += inlines.children(of: node)
        if let target = WrittenTarget.of(inlines.nodes[node], in: source, at: start) { all.append(target) }
      }
    }
  }
}
