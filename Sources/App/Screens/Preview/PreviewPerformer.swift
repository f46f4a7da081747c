internal import ClubServices
internal import FileStores
internal import Imaging
internal import Markdown
internal import TextUI

/// A newer request cancels an older one.
struct PreviewPerformer: Sendable {
  let notes: NotesService
  let photos: PhotosService
  /// nil for a club in a folder.
  let connection: StoreConnection?
  let clock: any Clock<Duration>
  /// True if the local copy has the present text of a note.
  let isCopied: @Sendable (StorePath) async -> Bool

  /// The member rests this long on a file before it is read: a key that repeats 25 times a second or faster costs no
  /// preview.
  static let rest = Duration.milliseconds(45)
  /// The same before a server gets a request.
  static let restBeforeRequest = Duration.milliseconds(150)
  /// More than a member scrolls through beside a list.
  static let mostBytes = 64 << 10
  /// A found place that is farther away is not shown.
  private static let mostSoughtBytes = 1 << 20
  private static let mostLines = 1000
  private static let linesAbove = 100
  private static let mostCaptionLines = 4
  /// Wider text is hard to read.
  private static let mostColumns = 90

  func perform(_ request: PreviewRequest, _ sender: Sender<PreviewAction>) async {
    do {
      // Pictures within a note that is open are at rest.
      if !request.isBare { try await clock.sleep(for: Self.rest) }
      if connection != nil, !(await isHere(request)) {
        try await clock.sleep(for: request.isBare ? Self.restBeforeRequest : Self.restBeforeRequest - Self.rest)
        sender.send(.delayed(request))
      }
    } catch {
      return
    }
    do throws(StoreError) {
      let content =
        switch request.kind {
        case .note: try await note(request)
        case .photo: try await photo(request)
        case .folder(let names): Self.folder(names)
        }
      if !Task.isCancelled { sender.send(.shown(request, content)) }
    } catch {
      guard error.kind != .cancelled, !Task.isCancelled else { return }
      sender.send(.shown(request, PreviewContent(lines: Self.lines(Array(error.message.utf8), request, .dim))))
    }
  }

  /// True if no server is asked for it.
  private func isHere(_ request: PreviewRequest) async -> Bool {
    switch request.kind {
    case .note: await isCopied(request.path)
    case .photo: false
    case .folder: true
    }
  }

  private func note(_ request: PreviewRequest) async throws(StoreError) -> PreviewContent {
    let limit = request.sought == nil ? Self.mostBytes : Self.mostSoughtBytes
    let (bytes, isCut, isOwn) = try await notes.beginning(of: request.path, limit: limit)
    let above = isOwn ? [PreviewLine("Your text. The club does not have it yet.", .waiting), PreviewLine("")] : []
    var content = Self.note(bytes, request)
    content.lines = above + content.lines
    content.hit? += above.count
    content.isCut = content.isCut || isCut
    return content
  }

  private static func folder(_ names: [[UInt8]]) -> PreviewContent {
    PreviewContent(
      lines: names.isEmpty
        ? [PreviewLine("This folder is empty.", .dim)]
        : names.map { PreviewLine($0, $0.last == UInt8(ascii: "/") ? .directory : .text) })
  }

  static func note(_ bytes: [UInt8], _ request: PreviewRequest) -> PreviewContent {
    if bytes.isEmpty { return PreviewContent(lines: [PreviewLine("This note is empty.", .dim)]) }
    if bytes.contains(0) { return PreviewContent(lines: [PreviewLine("This file is not text.", .dim)]) }
    let isMarkdown = MarkdownDocument.isMarkdown(named: request.path.name, beginning: bytes)
    guard let sought = request.sought else {
      return PreviewContent(lines: isMarkdown ? rendered(bytes, request) : lines(bytes, request))
    }
    let starts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    let line = min(sought.line, starts.count - 1)
    // Far down in a long text the preview begins a little above the place.
    let first = line > linesAbove * 4 ? starts[line - linesAbove] : 0
    let part = Array(bytes[first...].prefix(mostBytes))
    let places = NameQuery(sought.words.joined(separator: " ").utf8).places(in: part[...])
    let hit = places.map(\.lowerBound).filter { $0 >= starts[line] - first }.min() ?? starts[line] - first
    var content = PreviewContent(lines: [], isCut: first + part.count < bytes.count)
    if isMarkdown {
      content.lines = rendered(part, request)
      content.places = places
      // An empty line behind a paragraph has the paragraph's offset.
      content.hit = content.lines.lastIndex { $0.rendered.map { $0.start <= hit && !$0.runs.isEmpty } ?? false }
    } else {
      let text = TextBuffer(part)
      let rows = wrap(request).rows(from: 0, count: mostLines, in: text)
      content.lines = rows.map { PreviewLine(text.bytes(in: $0.start..<$0.end), from: $0.start, marking: places) }
      content.hit = rows.lastIndex { $0.start <= hit }
    }
    return content
  }

  static func rendered(_ bytes: [UInt8], _ request: PreviewRequest) -> [PreviewLine] {
    MarkdownPreview.lines(
      of: TextBuffer(bytes), in: 0..<mostLines, width: request.columns, marks: request.isASCII ? .ascii : .unicode
    ).map { PreviewLine($0) }
  }

  static func lines(_ bytes: [UInt8], _ request: PreviewRequest, _ role: Role = .text) -> [PreviewLine] {
    let text = TextBuffer(bytes)
    return wrap(request).rows(from: 0, count: mostLines, in: text).map { row in
      PreviewLine(text.bytes(in: row.start..<row.end), role)
    }
  }

  private static func wrap(_ request: PreviewRequest) -> SoftWrap {
    SoftWrap(width: min(mostColumns, request.columns))
  }

  private func photo(_ request: PreviewRequest) async throws(StoreError) -> PreviewContent {
    let caption = request.isBare ? [] : await caption(request)
    let facts = request.isBare ? [] : await facts(request)
    let lines = caption + (caption.isEmpty ? [] : [PreviewLine("")]) + facts
    // A long caption goes on below the pane, and leaves the picture its room.
    let below = min(caption.count, Self.mostCaptionLines) + (caption.isEmpty ? 0 : 1) + facts.count
    let rows = request.isBare ? request.rows : max(1, request.rows - below - 2)
    let cell = request.resolution.cell
    let box = PixelSize(width: max(1, request.columns) * cell.width, height: max(1, rows) * cell.height)
    var answer: Result<Pixels, StoreError>?
    await photos.thumbnails(of: [request.path], maxWidth: box.width, maxHeight: box.height) {
      answer = $1
    }
    guard let pixels = try answer?.get() else {
      throw StoreError(.cancelled, "byteclub did not make the preview of \"\(request.path)\".", path: request.path)
    }
    do throws(ImageError) {
      let picture = try ShownPicture(
        pixels, columns: request.columns, rows: rows, in: request.resolution, isCancelled: { Task.isCancelled })
      return PreviewContent(picture: picture, lines: lines)
    } catch {
      throw StoreError(.cancelled, "byteclub did not make the preview of \"\(request.path)\".", path: request.path)
    }
  }

  /// Rendered as a note; a failure is a line.
  private func caption(_ request: PreviewRequest) async -> [PreviewLine] {
    do throws(StoreError) {
      guard let caption = try await photos.caption(of: request.path), !caption.line.isEmpty else { return [] }
      return Self.rendered(caption.text, request)
    } catch {
      return Self.lines(Array("byteclub could not read the caption. \(error.message)".utf8), request, .dim)
    }
  }

  /// Without name, size and age, which the title has.
  private func facts(_ request: PreviewRequest) async -> [PreviewLine] {
    do throws(StoreError) {
      let header = try await photos.header(of: request.path)
      let taking = PhotoFact.taking(header).filter { ["Taken", "Camera"].contains($0.name) }
      var lines = ([PhotoFact.picture(header)] + taking).map { fact in
        PreviewLine(label: fact.name + String(repeating: " ", count: 9 - fact.name.count), fact.value)
      }
      let geometry = PictureGeometry(header)
      if geometry.canLookAround { lines.append(PreviewLine(label: "Panorama ", geometry.kind.word)) }
      return lines
    } catch {
      // The picture itself reports the reason, if it cannot be shown.
      return []
    }
  }
}
