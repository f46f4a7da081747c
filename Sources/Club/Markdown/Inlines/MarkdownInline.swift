/// A piece of running text. Inlines refer to each other by their index.
public struct MarkdownInline: Sendable {
  public enum Kind: Sendable, Equatable {
    /// The source bytes of the range, as they are. Never more than one line.
    case text
    /// A character that the source escapes or names.
    case character(String)
    case softBreak
    case hardBreak
    /// Its children are texts and soft breaks, which stand for spaces.
    case code
    case emphasis
    case strong
    case strikethrough
    /// `==words==`.
    case highlight
    /// `$mathematics$` with its signs; its children are texts and soft breaks.
    case math
    case link(MarkdownTarget)
    case image(MarkdownTarget)
    /// A bare address, or one in angles; its children are texts.
    case autolink(MarkdownTarget)
    /// `[[note]]` or `[[note|label]]`; its children are the text to show.
    case wikiLink(note: String)
    /// `![[picture]]`.
    case wikiImage(path: String)
    /// `[^label]` of a footnote that the note has.
    case footnote(MarkdownFootnote)
    /// `#tag`; the text is without the number sign.
    case tag(String)
    /// A raw HTML tag, or a comment that is shown; its children are texts and soft breaks.
    case html
  }

  public internal(set) var kind: Kind
  /// Source bytes with the marks. Children lie within.
  public internal(set) var range: Range<Int>
  /// The source bytes of the target that it writes itself, without angles; nil for others.
  public internal(set) var target: Range<Int>?
  var firstChild = -1
  var lastChild = -1
  var next = -1
  var previous = -1
  /// The range in the text of the block.
  var place: Range<Int>
  /// The number of levels below it.
  var height = 0
}

/// The inlines of one block.
public struct MarkdownInlines: Sendable {
  public internal(set) var nodes: [MarkdownInline] = []
  /// The first inline of the block; -1 for none.
  var first = -1

  public init() {}

  /// The inlines at the top, in order.
  public var top: [Int] { chain(from: first) }

  public func children(of inline: Int) -> [Int] { chain(from: nodes[inline].firstChild) }

  private func chain(from first: Int) -> [Int] {
    var chain: [Int] = []
    var node = first
    while node >= 0 {
      chain.append(node)
      node = nodes[node].next
    }
    return chain
  }
}
