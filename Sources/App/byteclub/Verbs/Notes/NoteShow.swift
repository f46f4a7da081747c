import ArgumentParser
import Basics
import ClubServices
import FileStores
import Markdown
import TextUI

struct NoteShow: ClubVerb {
  enum Color: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
  }

  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print a note as the app shows it: Markdown rendered.",
    discussion: Examples.text([
      "byteclub note show Welcome": "as wide as the terminal, at most 90 columns",
      "byteclub note show Welcome --width 60": "at a width",
      "byteclub note show Welcome --color always | less -R": "with colours into a pager",
    ])
      + "\n\nWithout a terminal it is 80 columns wide and without colours. \"note cat\" prints the bytes as they are.")

  @Argument(help: "The note.", completion: NameCompletion.notes) var name: String
  @Option(name: .long, help: ArgumentHelp("At most this wide, in columns.", valueName: "columns")) var width: Int?
  @Option(name: .long, help: "Colours: on a terminal (auto), always or never.") var color = Color.auto
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if let width, width < 10 { throw ValidationError("--width must be 10 or more.") }
    if shared.json { throw ValidationError("JSON cannot hold a drawing. \"byteclub note cat --json\" has the text.") }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let path = try await NoteName.path(name, session.open.notes)
    let bytes = TextEncoding.shown(try await text(of: path, session))
    let isTerminal = session.output.resultsAreShown
    let columns = width ?? (isTerminal ? TerminalSize.columns(of: 1) ?? 80 : 80)
    let marks: MarkdownMarks = session.setup.usesASCII ? .ascii : .unicode
    let theme = Theme(session.setup.environment, isTerminal: isTerminal, color)
    guard MarkdownDocument.isMarkdown(named: path.name, beginning: bytes) else {
      session.output.text(Self.plain(bytes))
      return Answer()
    }
    let text = TextBuffer(bytes)
    var start = 0
    // Part by part: the first lines of a long note are printed at once.
    var parts = MarkdownParts(text)
    while let part = parts.next(), !session.output.readerIsGone {
      let layout = MarkdownLayout(
        part.document, at: start, options: .init(width: columns, marks: marks, writesAddresses: true))
      var lines: [UInt8] = []
      for line in layout.lines { lines += RenderedLine.bytes(line, theme, width: columns) }
      start += part.count
      if start < text.count { lines.append(0x0A) }
      session.output.drawing(lines)
    }
    return Answer()
  }

  private func text(of path: StorePath, _ session: Session) async throws(StoreError) -> [UInt8] {
    if let own = try await session.open.notes.own(path) {
      session.notice(own.sentence)
      return own.bytes
    }
    let (bytes, entry) = try await session.open.notes.bytes(of: path)
    session.open.news.seeSoon(entry)
    return bytes
  }

  /// The lines of plain text, with what a terminal must not get made visible.
  private static func plain(_ bytes: [UInt8]) -> [UInt8] {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.flatMap { line in
      let text = line.last == 0x0D ? line.dropLast() : line
      return Array(ShownText.of(String(decoding: text, as: UTF8.self)).utf8) + [0x0A]
    }
  }
}

extension Theme {
  /// Without colours unless the output shows them.
  init(_ environment: Environment, isTerminal: Bool, _ color: NoteShow.Color) {
    let colors: TerminalAbilities.Colors =
      switch (color, ColorAbility(environment, isTerminal: isTerminal)) {
      case (.never, _): .none
      case (.auto, _) where !isTerminal: .none
      case (.always, .none): .sixteen
      case (_, .none): .none
      case (_, .sixteen): .sixteen
      case (_, .palette): .palette
      case (_, .trueColor): .trueColor
      }
    // The background is unknown; the terminal's own colours are right on any.
    self.init(.plain, colors: colors)
  }
}
