internal import FileStores
internal import Imaging
internal import TextUI

extension WallState {
  /// A screen of fewer rows leaves the remarks out for an address.
  private static let fewestRowsWithRemarks = 16

  /// Where everything is: the photo, the lines below it, and the code in its corner or beside it.
  struct Layout: Equatable {
    enum Line: Equatable {
      case name, caption, remarks
      /// A row of the address that is broken at the border.
      case address(Range<Int>)
    }

    var picture: Rect
    var lines: [Line]
    /// nil where the code does not fit; the address is then among the lines.
    var code: Point?
  }

  func layout(_ size: Size, isASCII: Bool) -> Layout {
    var lines: [Layout.Line] = viewer == nil ? [] : [.name]
    if !words.caption.isEmpty { lines.append(.caption) }
    if !words.remarks.isEmpty { lines.append(.remarks) }
    var layout = Layout(picture: Rect(0, 0, size.width, max(1, size.height - lines.count)), lines: lines, code: nil)
    guard showsPage, let page else { return layout }
    let code = isASCII ? nil : page.code
    let (columns, rows) = (code?.lines.first?.count ?? 0, code?.lines.count ?? 0)
    if code != nil, columns * 5 <= size.width * 2, rows * 5 <= layout.picture.height * 3 {
      layout.code = Point(size.width - columns, layout.picture.height - rows)
    } else if code != nil, columns * 20 <= size.width * 11, rows <= layout.picture.height {
      layout.picture.width -= columns + 1
      layout.code = Point(size.width - columns, layout.picture.height - rows)
    } else {
      if size.height < Self.fewestRowsWithRemarks { layout.lines.removeAll { $0 == .remarks } }
      let (length, width) = (page.page.url.utf8.count, max(1, size.width))
      layout.lines += stride(from: 0, to: length, by: width).map { .address($0..<min($0 + width, length)) }
      layout.picture.height = max(1, size.height - layout.lines.count)
    }
    return layout
  }

  /// Of the photo, in the pixels of the terminal.
  func window(_ frame: Frame) -> PixelSize {
    let cell = PictureResolution(frame.abilities).cell
    let part = layout(frame.size, isASCII: frame.abilities.asciiOnly).picture
    return PixelSize(width: max(1, part.width) * cell.width, height: max(1, part.height) * cell.height)
  }

  /// `problem` is the reason why there is no list of photos.
  func draw(_ frame: Frame, problem: Problem?, on canvas: inout Canvas) {
    if viewer != nil { drawPhoto(frame, on: &canvas) } else { drawEmpty(frame, problem, on: &canvas) }
    guard let whisper else { return }
    canvas.fill(Rect(0, 0, canvas.size.width, 1), style: canvas[.text])
    let style = canvas[whisper.isFault ? .warning : .dim]
    canvas.text(whisper.text, x: 1, y: 0, style: style, width: max(0, canvas.size.width - 2))
  }

  private func drawPhoto(_ frame: Frame, on canvas: inout Canvas) {
    guard let viewer, let pyramid = viewer.pyramid, let flat = viewer.flat else { return }
    let size = canvas.size
    let layout = layout(size, isASCII: frame.abilities.asciiOnly)
    canvas.inside(layout.picture) { viewer.drawPicture(pyramid, flat, frame, on: &$0) }
    if let place = layout.code { page?.code?.draw(at: place, on: &canvas) }
    for (index, line) in layout.lines.enumerated() {
      canvas.inside(Rect(0, layout.picture.height + index, size.width, 1)) { draw(line, viewer, frame, on: &$0) }
    }
  }

  private func draw(_ line: Layout.Line, _ viewer: PhotoViewer, _ frame: Frame, on canvas: inout Canvas) {
    let width = max(0, canvas.size.width - 2)
    switch line {
    case .name:
      let sign = [isPaused ? "paused" : "", frame.isAway ? "offline" : ""].filter { !$0.isEmpty }
        .joined(separator: "  ")
      let left = max(0, width - (sign.isEmpty ? 0 : GlyphReader.columns(of: sign) + 2))
      let end = canvas.text(viewer.path.name, x: 1, y: 0, style: canvas[.title], width: left)
      canvas.text(words.member, x: end + 3, y: 0, style: canvas[.dim], width: max(0, left - end - 2))
      canvas.text(sign, x: 1 + width - GlyphReader.columns(of: sign), y: 0, style: canvas[.dim])
    case .caption: canvas.text(words.caption, x: 1, y: 0, style: canvas[.text], width: width)
    case .remarks:
      let text = words.remarks.joined(separator: "  \(canvas.symbol(.dot))  ")
      canvas.text(text, x: 1, y: 0, style: canvas[.dim], width: width)
    case .address(let part):
      guard let address = page?.page.url else { return }
      canvas.text(Array(address.utf8)[part], x: 0, y: 0, style: canvas[.link])
    }
  }

  private func drawEmpty(_ frame: Frame, _ problem: Problem?, on canvas: inout Canvas) {
    if !order.isListed {
      if let problem { return problem.draw("byteclub could not list the photos.", frame, on: &canvas, y: 2) }
      return LoadingSteps.draw(frame, on: &canvas)
    }
    let isEmpty = order.photos.isEmpty
    let page = showsPage && isEmpty ? page : nil
    CodePage(frame, canvas.size, code: page?.code) { text in
      // The line over the photo goes here.
      text.say(" ")
      guard isEmpty else {
        return text.say(frame.isAway ? "offline: no photo of the club is on this machine." : "Loading.", .dim)
      }
      text.say("No photos yet. The first one is here as soon as the club has it.", .title)
      text.gap()
      if let page {
        text.say("A phone brings photos at this address:")
        text.whole(page.page.url, .link)
      } else {
        let key = frame.keys.name(of: .wallAsk)
        text.say("byteclub photo put FILE brings one. \(key) asks for them: a page for phones.")
      }
    }.draw(on: &canvas)
  }
}
