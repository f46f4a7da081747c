public import TextUI

/// A piece of a rendered line in one look.
public struct StyledRun: Sendable, Equatable {
  /// UTF-8 as the note has it. It reaches cells and terminals through `GlyphReader` only.
  public var text: [UInt8]
  public var role: Role
  /// Bold, italic and strikethrough on top of the role's look.
  public var attributes: Style.Attributes
  /// The source bytes that it shows; empty for marks that the source does not have.
  public var range: Range<Int>
  /// The link or check box that it belongs to, as an index into the links of the part.
  public var link: Int?
  /// Columns.
  public var width: Int

  public init(
    _ text: [UInt8], _ role: Role, attributes: Style.Attributes = [], range: Range<Int> = 0..<0, link: Int? = nil,
    width: Int? = nil
  ) {
    self.text = text
    self.role = role
    self.attributes = attributes
    self.range = range
    self.link = link
    self.width = width ?? GlyphReader.columns(of: text[...])
  }

  init(_ text: String, _ role: Role) { self.init(Array(text.utf8), role) }

  /// True if each byte of the text is a byte of the source.
  public var isVerbatim: Bool { text.count == range.count }
}

/// A rendered line.
public struct StyledLine: Sendable, Equatable {
  public var runs: [StyledRun] = []
  /// The source offset of the first thing that it shows; the line before has none that is larger.
  public var start: Int
  /// True for a line of a code block, whose background reaches to the right border.
  public var isCode = false
  /// The row of a picture that belongs right of the runs; nil for a line of text.
  public var picture: PictureRow?

  public var width: Int { runs.reduce(0) { $0 + $1.width } }
}

/// A row of a picture of the club, by the picture's path as the note writes it.
public struct PictureRow: Sendable, Equatable {
  public var path: String
  public var row: Int
}

/// Something in a note that a member can follow or switch.
public struct MarkdownLink: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// An address or a path, as the note writes it.
    case address(String)
    /// `[[note]]`.
    case note(String)
    /// A picture by its address or path.
    case picture(String)
    case tag(String)
    /// Another place of the note, by its source offset: the text of a footnote, or its first mark.
    case place(Int)
    case check(MarkdownCheck)
  }

  public var kind: Kind
  /// The source bytes of the whole link.
  public var range: Range<Int>
}

/// A heading, for the outline.
public struct MarkdownHeading: Sendable, Equatable {
  public var level: Int
  public var text: [UInt8]
  /// Its source offset.
  public var offset: Int
}
