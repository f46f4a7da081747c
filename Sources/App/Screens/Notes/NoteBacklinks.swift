internal import ClubServices
public import FileStores
internal import Markdown
internal import Synchronization
internal import TextUI

/// A link of another note to the note that is read.
public struct NoteBacklink: Sendable, Hashable {
  public let path: StorePath
  /// The line of the link, from 0.
  let line: Int
  /// The line's beginning as the note has it, or the path of a broken link; it is filtered when drawn.
  private(set) var text: [UInt8]
  /// Some lines from before the link on, for the preview.
  let around: [UInt8]
  /// To find in the line, for a link that leads nowhere.
  var words: [String] = []

  private static let mostBytes = 400
  private static let mostAround = 2000

  /// The links of a note to another one, in order, one a line; none if the task was cancelled.
  static func links(
    to target: StorePath, among paths: LinkPaths, in bytes: [UInt8], of path: StorePath, atMost most: Int = .max
  ) -> [NoteBacklink] {
    let text = TextBuffer(bytes)
    var links: [NoteBacklink] = []
    var start = 0
    var parts = MarkdownParts(text)
    while links.count < most, !Task.isCancelled, let part = parts.next() {
      let layout = MarkdownLayout(part.document, at: start, options: .init(width: 80))
      start += part.count
      for link in layout.links {
        guard case .note(let words)? = LinkTarget(link), paths.file(words, from: path) == target else { continue }
        let line = text.line(at: link.range.lowerBound)
        guard links.last?.line != line, links.count < most else { continue }
        links.append(NoteBacklink(path, line: line, in: text))
      }
    }
    return links
  }
}

extension NoteBacklink {
  /// The line of a text.
  private init(_ path: StorePath, line: Int, in text: TextBuffer) {
    let from = text.start(ofLine: line)
    let bytes = text.bytes(in: from..<(from + Self.mostBytes)).prefix { $0 != 0x0A && $0 != 0x0D }
    let above = text.start(ofLine: max(0, line - 3))
    self.init(
      path: path, line: line, text: Array(bytes),
      around: text.bytes(in: (from - above > Self.mostBytes ? from : above)..<(from + Self.mostAround)))
  }

  /// The links of a note that lead to no file.
  static func broken(among paths: LinkPaths, in bytes: [UInt8], of path: StorePath) -> [NoteBacklink] {
    guard MarkdownDocument.isMarkdown(named: path.name, beginning: bytes) else { return [] }
    let text = TextBuffer(bytes)
    return NoteLinks.all(in: bytes).compactMap { target, words in
      guard !words.path.hasSuffix("/"), paths.file(words, from: path) == nil else { return nil }
      var link = NoteBacklink(path, line: text.line(at: target.range.lowerBound), in: text)
      link.text = Array(
        "\(words.path.prefix(mostBytes))\(words.places(from: path).isEmpty ? ": outside of the club" : "")".utf8)
      link.words = [target.text]
      return link
    }
  }
}

/// The links of other notes to a note, by name and line.
public struct FoundBacklinks: Sendable {
  let links: [NoteBacklink]
  /// The number of notes that could not be read or are too large.
  var unread = 0
  /// True if the club may have more links.
  var isCut = false

  /// The remark on what is missing; nil if nothing is.
  var remark: String? {
    let notes = unread == 1 ? "1 note" : "\(unread) notes"
    return switch (unread > 0, isCut) {
    case (false, false): nil
    case (true, false): "byteclub could not read \(notes)."
    case (false, true): "Only \(links.count) links are listed."
    case (true, true): "Only \(links.count) links are listed. byteclub could not read \(notes)."
    }
  }
}

/// The notes that link to a note, or, for the club's folder, the links that lead nowhere; Enter opens one at its link.
struct NoteBacklinks: NotesListView {
  let places: [KeyCommand.Place] = [.backlinks, .moves]
  let footer: [CommandID] = [.backlinksOpen, .help, .quit]
  let sentences: (row: String, unread: String, empty: String)
  let own: [CommandID] = [.backlinksOpen]
  let path: StorePath
  /// Nil until the notes have been read.
  private(set) var found: FoundBacklinks?
  /// How many notes were read; empty before the first.
  private var progress = ""
  var list: SideList<NoteBacklink>

  init(_ path: StorePath, height: Int) {
    (self.path, list) = (path, SideList(height: height))
    let empty = path.isRoot ? "Every link leads to a note or a picture." : "No other note links here."
    sentences = (row: "link", unread: "The links are not read yet.", empty: empty)
  }

  mutating func take(_ found: FoundBacklinks) {
    self.found = found
    list.take(found.links) { $0 == $1 }
  }

  mutating func sought(unread: Int, of total: Int) {
    progress = "\((total - unread).grouped) of \(total.grouped) notes read"
  }

  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    let width = SideFace.listWidth(canvas.size.width)
    let (isBroken, column) = (path.isRoot, canvas.size.width < 60 ? 12 : width == nil ? 28 : 20)
    let face = SideFace(
      title: isBroken ? "Links that lead nowhere" : "\(path): links to it",
      facts: found.map { "\($0.links.count.grouped)" } ?? progress, remark: found?.remark,
      columns: [
        // The two names of a broken link share the room.
        SideColumn("Note", isBroken ? ((width ?? canvas.size.width) - 14) / 2 : column),
        SideColumn("Line", 5, isRight: true), SideColumn(isBroken ? "Link" : "Text"),
      ],
      empty: found.map { $0.unread > 0 } == true ? "No link found in the other notes." : sentences.empty)
    list.draw(face, frame, on: &canvas) { link, part in
      SideFace.drawPreview("\(link.path)", link.around, on: &part)
    } row: { _, link in
      let text = isBroken ? SideCell(name: link.text, .dim) : SideCell(link.text, .dim)
      return SideRow(cells: [SideCell(name: link.path.bytes), SideCell("\(link.line + 1)", .dim), text])
    }
  }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    switch command {
    case .backlinksOpen:
      guard let link = list.chosen else { return [] }
      state.views.removeLast()
      let words = path.isRoot ? link.words : [MarkdownDocument.stem(of: path.name)]
      let sought = SoughtPlace(words: words, line: link.line)
      return NotesScreen.open(link.path, &state, sought: sought)
    case .close, .quit:
      state.views.removeLast()
      return [.cancel(key: "notes.backlinks")]
    default: return []
    }
  }
}

extension NotesPerformer {
  private static let mostBacklinks = 1000

  /// The links of all other notes to a note, by name and line, or, for the club's folder, those that lead nowhere. Each note
  /// is read once.
  /// - Throws: as a search of the notes.
  func backlinks(
    to path: StorePath, _ sender: Sender<NotesAction> = Sender { _, _ in }
  ) async throws(StoreError) -> FoundBacklinks {
    let reading = SearchHits(steps: service.copy == nil ? 10 : 100)
    let most = Self.mostBacklinks
    let collected = Collected()
    let paths = try await service.linkPaths()
    let search = try await service.texts(
      with: path.isRoot ? "[" : NotesService.word(of: path),
      progress: { done, total in
        guard let part = reading.read(done, of: total) else { return }
        sender.send(.backlinksSought(path, unread: part.unread, of: part.total), replacing: "backlinks")
      },
      matched: { entry, text in
        guard entry.path != path, collected.count <= most else { return }
        guard !path.isRoot else { return collected.add(NoteBacklink.broken(among: paths, in: text, of: entry.path)) }
        collected.add(NoteBacklink.links(to: path, among: paths, in: text, of: entry.path, atMost: most + 1))
      })
    let links = collected.sorted
    return FoundBacklinks(
      links: Array(links.prefix(most)), unread: search.failures.count + search.tooLarge.count,
      isCut: links.count > most)
  }

  /// The links that several tasks find.
  private final class Collected: Sendable {
    private let links = Mutex<[NoteBacklink]>([])

    var count: Int { links.withLock { $0.count } }
    var sorted: [NoteBacklink] { links.withLock { $0 }.sorted { ($0.path, $0.line) < ($1.path, $1.line) } }

    func add(_ more: [NoteBacklink]) { links.withLock { $0 += more } }
  }
}
