/// A block of a note: a paragraph, a list, a table. Blocks refer to each other by their index in the document.
public struct MarkdownBlock: Sendable {
  public enum Kind: Sendable, Equatable {
    case document
    case quote
    case list(MarkdownList)
    /// An item of a list, with its check box, if it begins with one.
    case item(check: MarkdownCheck?)
    case paragraph
    /// Level 1 to 6.
    case heading(level: Int)
    /// Verbatim text. `info` is the source of the words after the opening fence; nil for indented code.
    case code(info: Range<Int>?)
    case html
    /// The data of other programs at the start of a note.
    case frontMatter
    /// The text of a footnote. `label` is the source of its name.
    case footnote(label: Range<Int>)
    case rule
    case table([MarkdownAlignment])
    case row(isHeader: Bool)
    case cell
  }

  public internal(set) var kind: Kind
  /// Source bytes, from the block's first mark to the end of its last line. Children lie within.
  public internal(set) var range: Range<Int>
  public internal(set) var parent: Int
  var firstChild = -1
  var lastChild = -1
  var next = -1
  /// Indices of the document's lines: the text of a block that has text.
  public internal(set) var lines: Range<Int>
  /// The number of blocks around this one; 0 for the document.
  var depth = 0

  // While the block is open:
  var isOpen = true
  var endsBlank = false
  /// Columns that the text of an item or fenced code is moved to the right.
  var indent = 0
  /// The byte and length of a fence, or the number of an HTML block's condition.
  var fence: UInt8 = 0
  var fenceLength = 0

  init(_ kind: Kind, range: Range<Int>, parent: Int, lines: Int) {
    self.kind = kind
    self.range = range
    self.parent = parent
    self.lines = lines..<lines
  }
}

/// The marks of a list.
public struct MarkdownList: Sendable, Equatable {
  /// The number of the first item; nil for bullets.
  public var start: Int?
  /// `-`, `+` or `*`, or the `.` or `)` behind a number.
  public var mark: UInt8
  /// True if no blank lines stand between its items.
  public internal(set) var isTight = true
}

/// The check box of a task.
public struct MarkdownCheck: Sendable, Equatable {
  public var isChecked: Bool
  /// The source offset of the byte between the brackets: a space, `x` or `X`.
  public var offset: Int
}

public enum MarkdownAlignment: Sendable, Equatable { case none, left, center, right }

/// A line of a block's text.
public struct MarkdownLine: Sendable, Equatable {
  /// Source bytes without the marks of the blocks around it and without the line end.
  public var range: Range<Int>
  /// Spaces to put before it: the rest of a tab that a mark took a part of.
  public var padding: Int
}
