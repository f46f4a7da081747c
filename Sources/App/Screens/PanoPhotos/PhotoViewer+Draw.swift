internal import FileStores
internal import Imaging
internal import TextUI

extension PhotoViewer {
  /// Below fewer rows, the picture needs them all.
  private static let fewestRowsWithMap = 10
  private static let fewestRowsWithMarks = 5
  private static let stripRows = 2

  private func hasMap(_ size: Size) -> Bool {
    showsMap && geometry?.canLookAround == true && size.height > Self.fewestRowsWithMap
  }

  private func hasMarkList(_ size: Size) -> Bool { hasMarks && size.height > Self.fewestRowsWithMarks }

  /// The picture's place below the title: compass, list of marks and strip take lines from it.
  func picturePart(_ size: Size) -> Rect {
    var part = Rect(0, 1, size.width, size.height - 1)
    if hasMap(size) {
      part.height -= Self.stripRows
      if look != nil {
        part.y += 1
        part.height -= 1
      }
    }
    if hasMarkList(size) { part.height -= 1 }
    return part
  }

  /// `place` is the photo's in the list: `3 of 28`.
  func draw(place: String, isRecording: Bool, _ frame: Frame, on canvas: inout Canvas) {
    let width = canvas.size.width
    drawTitle([isRecording ? "recording" : "", frame.present.companions(at: path), facts, place], on: &canvas)
    if let problem {
      problem.draw("byteclub could not show the photo.", frame, on: &canvas, y: 2)
    }
    guard let pyramid, let flat else { return }
    let part = picturePart(canvas.size)
    if hasMap(canvas.size) {
      drawStrip(pyramid, frame, on: &canvas)
      if let look {
        canvas.inside(Rect(0, 1, width, 1)) {
          drawCompass(look, on: &$0)
          drawDirections(frame.present, on: &$0)
        }
      }
    }
    if hasMarkList(canvas.size) {
      canvas.inside(Rect(0, part.y + part.height, width, 1)) { drawMarkList(on: &$0) }
    }
    canvas.inside(part) {
      drawPicture(pyramid, flat, frame, on: &$0)
      drawMarks(on: &$0)
      drawGazes(frame.present, on: &$0)
    }
    guard !caption.isEmpty else { return }
    let row = part.y + part.height - 1
    canvas.fill(Rect(0, row, width, 1), style: canvas[.text])
    canvas.text(caption, x: 1, y: row, style: canvas[.text], width: max(0, width - 2))
  }

  /// The terminal's own background surrounds a picture that is smaller than its place.
  func drawPicture(_ pyramid: Pyramid, _ flat: FlatView, _ frame: Frame, on canvas: inout Canvas) {
    guard !frame.abilities.graphics.hasPixels else {
      if let look { return drawPixels(look, pyramid, frame.abilities, on: &canvas) }
      return drawPixels(flat, pyramid, frame.abilities, on: &canvas)
    }
    let resolution = PictureResolution(frame.abilities)
    let cell = resolution.cell
    let window = PixelSize(
      width: max(1, canvas.size.width) * cell.width, height: max(1, canvas.size.height) * cell.height)
    if var look {
      look.resize(to: window)
      let picture = HalfBlockPicture(LookAroundRenderer.render(pyramid, look), in: resolution.blocks)
      return PictureCells.draw(picture, x: 0, y: 0, frame.abilities, on: &canvas)
    }
    var flat = flat
    flat.resize(to: window)
    let place = flat.placement
    // Whole cells.
    flat.resize(
      to: PixelSize(
        width: max(cell.width, place.width / cell.width * cell.width),
        height: max(cell.height, place.height / cell.height * cell.height)))
    let picture = HalfBlockPicture(FlatRenderer.render(pyramid, flat), in: resolution.blocks)
    PictureCells.draw(
      picture, x: place.x / cell.width, y: (place.y + cell.height / 2) / cell.height, frame.abilities, on: &canvas)
  }

  private func drawTitle(_ facts: [String], on canvas: inout Canvas) {
    let width = canvas.size.width
    let facts = facts.filter { !$0.isEmpty }.joined(separator: "  ")
    // The end of the facts matters less than the name.
    let used = min(GlyphReader.columns(of: facts), max(0, width * 2 / 3))
    let left = max(0, width - used - 2)
    let end = 3 + canvas.text(path.bytes[...], x: 1, y: 0, style: canvas[.title], width: max(0, left - 1))
    // A beginning of a title that says nothing is left out.
    if left - end >= min(12, GlyphReader.columns(of: title)) {
      canvas.text(title, x: end, y: 0, style: canvas[.text], width: left - end)
    }
    canvas.text(facts, x: left + 1, y: 0, style: canvas[.dim], width: used)
  }

  /// The whole panorama in two rows, with the part in view in full colour.
  private func drawStrip(_ pyramid: Pyramid, _ frame: Frame, on canvas: inout Canvas) {
    let size = PixelSize(width: max(1, canvas.size.width), height: 2 * Self.stripRows)
    let strip = HalfBlockPicture(PanoramaStrip.render(pyramid, size: size, seen: seen))
    PictureCells.draw(
      strip, stripPixels(pyramid, canvas.size.width, Self.stripRows, frame.abilities), x: 0,
      y: canvas.size.height - Self.stripRows, frame.abilities, on: &canvas)
  }

  /// Marks each 15 degrees where the view's middle row shows them.
  private func drawCompass(_ look: LookAround, on canvas: inout Canvas) {
    let north = look.geometry.northYawDegrees
    let width = Double(canvas.size.width)
    for degrees in stride(from: 0, to: 360, by: 15) {
      let dot = canvas.symbol(.dot)
      guard let mark = Compass.mark(at: degrees, hasNorth: north != nil, dot: dot),
        let place = look.place(yaw: (north ?? 0) + Double(degrees), pitch: look.pitchDegrees)
      else { continue }
      let columns = GlyphReader.columns(of: mark)
      let x = Int(place.x / Double(look.window.width) * width) - columns / 2
      guard x >= 0, x + columns <= canvas.size.width else { continue }
      canvas.text(mark, x: x, y: 0, style: canvas[columns > 1 || north != nil ? .accent : .dim])
    }
  }
}
