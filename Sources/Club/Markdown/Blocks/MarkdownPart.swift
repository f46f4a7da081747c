public import TextUI

/// A part of a long note, parsed by itself.
///
/// Reading forward from the start of the note, a part ends where every block ends: at a blank line before a line without
/// indentation, outside of fenced code and raw HTML. Two things are not exactly as if the note were parsed in one piece:
/// a list that goes on behind such a line is two lists, and a block of more than `longest` bytes is cut between two of its
/// lines. Fenced code goes on over a cut.
public struct MarkdownPart: Sendable {
  /// Fenced code that goes on in the next part.
  public struct Fence: Sendable, Equatable {
    var mark: UInt8
    var length: Int
    var indent: Int
  }

  /// A part ends at the first good place after so many bytes: about 2 ms of work.
  public static let usual = 16 * 1024
  /// A part is never longer.
  public static let longest = 64 * 1024

  public let document: MarkdownDocument
  /// The number of bytes that the part has.
  public let count: Int
  public let fence: Fence?

  /// Parses the beginning of a text.
  ///
  /// - `window`: bytes of the note; `longest` of them unless the note ends before.
  /// - `isStart`: the window begins with the note.
  /// - `isEnd`: the window reaches to the end of the note.
  /// - `fence`: fenced code of the part before that goes on here.
  public init(
    _ window: [UInt8], isStart: Bool = false, isEnd: Bool, fence: Fence? = nil,
    options: MarkdownDocument.Options = .club,
    references: MarkdownReferences = .init()
  ) {
    var parser = BlockParser(window)
    parser.references = references
    if let fence { parser.resume(fence) }
    var position = isStart ? parser.parseBeginning() : 0
    while position < window.count {
      if !isEnd, position > 0, !parser.hasWholeLine(at: position) { break }
      if position >= Self.usual, parser.canCut(at: position) { break }
      position = parser.parseLine(at: position)
    }
    count = position
    self.fence = position < window.count || !isEnd ? parser.openFence : nil
    parser.finish()
    document = MarkdownDocument(parser, options: options)
  }
}

extension BlockParser {
  /// Opens fenced code without its opening line.
  fileprivate mutating func resume(_ fence: MarkdownPart.Fence) {
    let code = append(.code(info: 0..<0), to: 0, at: 0)
    blocks[code].fence = fence.mark
    blocks[code].fenceLength = fence.length
    blocks[code].indent = fence.indent
    isResumed = true
    tip = code
  }

  fileprivate var openFence: MarkdownPart.Fence? {
    let last = blocks[0].lastChild
    guard last >= 0, blocks[last].isOpen, case .code(.some) = blocks[last].kind else { return nil }
    return MarkdownPart.Fence(
      mark: blocks[last].fence, length: blocks[last].fenceLength, indent: blocks[last].indent)
  }

  fileprivate func hasWholeLine(at start: Int) -> Bool { source[start...].contains(0x0A) }

  /// True if a blank line is before an offset, a line without indentation behind it, and no block goes on.
  fileprivate func canCut(at start: Int) -> Bool {
    guard isBlank, openFence == nil, start < source.count, !source[start].isMarkdownSpace else { return false }
    let last = blocks[0].lastChild
    if last >= 0, blocks[last].isOpen, blocks[last].kind == .html, blocks[last].fence < 6 { return false }
    return true
  }
}

/// The parts of a note, from its start to its end.
public struct MarkdownParts {
  private let text: TextBuffer
  private let references: MarkdownReferences
  private var fence: MarkdownPart.Fence?
  private var start = 0

  public init(_ text: TextBuffer) { self.init(text, references: MarkdownPages.references(of: text)) }

  init(_ text: TextBuffer, references: MarkdownReferences) {
    self.text = text
    self.references = references
  }

  /// The next part; nil at the end of the note.
  public mutating func next() -> MarkdownPart? {
    guard start < text.count else { return nil }
    let end = min(text.count, start + MarkdownPart.longest)
    let part = MarkdownPart(
      text.bytes(in: start..<end), isStart: start == 0, isEnd: end == text.count, fence: fence,
      references: references)
    start += part.count
    fence = part.fence
    return part
  }
}
