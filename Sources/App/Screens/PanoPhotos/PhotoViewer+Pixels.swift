internal import Imaging
internal import TextUI

/// The viewer's pictures for terminals that draw pixels. A picture's identity says all that decides its pixels, so an
/// unchanged view makes and sends none.
extension PhotoViewer {
  /// Pixels of a picture that a terminal gets whole, to show parts of it. Larger ones are given by regions.
  private static let mostPixels = 3_000_000
  /// For pictures that are replaced at once, a side of each pixel.
  private static let coarseness = 2

  func drawPixels(_ look: LookAround, _ pyramid: Pyramid, _ abilities: TerminalAbilities, on canvas: inout Canvas) {
    let cells = canvas.size
    let cell = abilities.pixelsOfCell
    let side = isCoarse ? Self.coarseness : 1
    var fine = look
    fine.resize(to: PixelSize(width: cells.width * cell.width / side, height: cells.height * cell.height / side))
    var blocks = look
    blocks.resize(to: HalfBlocks.pixels(columns: cells.width, rows: cells.height))
    var hasher = Hasher()
    for angle in [fine.yawDegrees, fine.pitchDegrees, fine.fieldOfViewDegrees] { hasher.combine(angle) }
    hasher.combine(fine.window)
    hasher.combine(geometry?.kind)
    let view = fine
    let picture = CanvasPicture(
      .init(source, variant: hasher.finalize()), size: Size(view.window.width, view.window.height), cells: cells,
      isStretched: isCoarse
    ) { PicturePixels(LookAroundRenderer.render(pyramid, view)) }
    PictureCells.draw(
      HalfBlockPicture(LookAroundRenderer.render(pyramid, blocks)), picture, x: 0, y: 0, abilities, on: &canvas)
  }

  func drawPixels(_ flat: FlatView, _ pyramid: Pyramid, _ abilities: TerminalAbilities, on canvas: inout Canvas) {
    let cell = abilities.pixelsOfCell
    var flat = flat
    flat.resize(to: PixelSize(width: canvas.size.width * cell.width, height: canvas.size.height * cell.height))
    let place = flat.placement
    let cells = Size(
      min(canvas.size.width, max(1, (place.width + cell.width / 2) / cell.width)),
      min(canvas.size.height, max(1, (place.height + cell.height / 2) / cell.height)))
    // The part of a large photo is finer than the pixels that the terminal would keep.
    let keepsPixels = abilities.graphics.movesParts && pyramid.detail == nil
    let picture = keepsPixels ? part(flat, pyramid, cells) : rendered(flat, pyramid, cells, cell)
    var blocks = flat
    blocks.shape(as: HalfBlocks.pixels(columns: cells.width, rows: cells.height))
    PictureCells.draw(
      HalfBlockPicture(FlatRenderer.render(pyramid, blocks)), picture, x: (canvas.size.width - cells.width) / 2,
      y: (canvas.size.height - cells.height) / 2, abilities, on: &canvas)
  }

  /// The view's pixels.
  private func rendered(_ flat: FlatView, _ pyramid: Pyramid, _ cells: Size, _ cell: Size) -> CanvasPicture {
    let side = isCoarse ? Self.coarseness : 1
    var view = flat
    view.shape(as: PixelSize(width: cells.width * cell.width / side, height: cells.height * cell.height / side))
    var hasher = Hasher()
    for number in [view.crop.x, view.crop.y, view.crop.width, view.crop.height] { hasher.combine(number) }
    hasher.combine(view.window)
    let fine = view
    return CanvasPicture(
      .init(source, variant: hasher.finalize()), size: Size(fine.window.width, fine.window.height), cells: cells,
      isStretched: isCoarse
    ) { PicturePixels(FlatRenderer.render(pyramid, fine)) }
  }

  /// A part of pixels that the terminal keeps: a pan within them sends none.
  private func part(_ flat: FlatView, _ pyramid: Pyramid, _ cells: Size) -> CanvasPicture {
    let (level, crop) = FlatRenderer.part(of: pyramid, flat)
    let pixels = pyramid.levels[level]
    var region = PixelRect(x: 0, y: 0, width: pixels.width, height: pixels.height)
    if pixels.width * pixels.height > Self.mostPixels {
      // Twice as wide and high as the view, at a multiple of its size: several steps stay inside.
      region.x = crop.x / crop.width * crop.width
      region.y = crop.y / crop.height * crop.height
      region.width = min(2 * crop.width, pixels.width - region.x)
      region.height = min(2 * crop.height, pixels.height - region.y)
    }
    var hasher = Hasher()
    for number in [level, region.x, region.y, region.width, region.height] { hasher.combine(number) }
    let kept = region
    return CanvasPicture(
      .init(source, variant: hasher.finalize()), size: Size(region.width, region.height),
      crop: Rect(crop.x - region.x, crop.y - region.y, crop.width, crop.height), cells: cells, isStretched: true
    ) { PicturePixels(pixels.part(kept)) }
  }
}

extension PhotoViewer {
  /// The strip changes with each move: a terminal that stretches gets a few pixels a cell.
  func stripPixels(_ pyramid: Pyramid, _ columns: Int, _ rows: Int, _ abilities: TerminalAbilities) -> CanvasPicture? {
    guard abilities.graphics.hasPixels, columns > 0 else { return nil }
    let isStretched = abilities.graphics.movesParts
    let cell = isStretched ? Size(2, 4) : abilities.pixelsOfCell
    let size = PixelSize(width: columns * cell.width, height: rows * cell.height)
    var hasher = Hasher()
    hasher.combine("strip")
    hasher.combine(seen)
    hasher.combine(size)
    return CanvasPicture(
      .init(source, variant: hasher.finalize()), size: Size(size.width, size.height), cells: Size(columns, rows),
      isStretched: isStretched
    ) { [seen] in PicturePixels(PanoramaStrip.render(pyramid, size: size, seen: seen)) }
  }
}
