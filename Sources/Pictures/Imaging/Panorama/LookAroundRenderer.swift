/// Draws the window of a `LookAround`.
public enum LookAroundRenderer {
  public enum Quality: Sendable, CaseIterable {
    /// The nearest pixel; for pictures that are replaced at once.
    case coarse
    /// The mean of the four pixels around, weighted by distance.
    case fine
  }

  /// The pyramid may hold a smaller copy of the picture. `background` (0xRRGGBB) is shown outside the picture.
  public static func render(
    _ pyramid: Pyramid, _ view: LookAround, quality: Quality = .fine, background: UInt32 = 0
  ) -> Pixels {
    let level = level(pyramid, view)
    if level == 0, let detail = detail(pyramid, view) { return render(detail, view, quality, background) }
    let pixels = pyramid.levels[level]
    let coverage = view.geometry.coverage
    // At an odd side, the last pixel of a level stands for half as much of the picture.
    let width = Double(pyramid.size.width) / Double(1 << level)
    let height = Double(pyramid.size.height) / Double(1 << level)
    let scale = SIMD2(width / Double(view.geometry.size.width), height / Double(view.geometry.size.height))
    let toPicture = coverage.fromLevel * view.toLevel
    let grid = LookAroundGrid(window: view.window, period: width * 360 / coverage.horizontalDegrees) { x, y in
      let place = coverage.place(toPicture.apply(view.ray(x, y)), view.geometry.size)
      return SIMD2(place.x, place.y) * scale
    }
    return Pixels(size: view.window) { output in
      _ = pixels.withBase { base in
        let sampler = PanoramaSampler(
          base: base, pixels: pixels.size, width: width, height: height, coverage: coverage, background: background)
        draw(grid, view.window, sampler, quality, output)
      }
    }
  }

  private static func render(
    _ detail: PictureDetail, _ view: LookAround, _ quality: Quality, _ background: UInt32
  ) -> Pixels {
    let (coverage, size, area) = (view.geometry.coverage, view.geometry.size, detail.request.area)
    let scale = detail.request.scale
    let period = Double(size.width) * scale * 360 / coverage.horizontalDegrees
    let toPicture = coverage.fromLevel * view.toLevel
    let origin = SIMD2(Double(area.x), Double(area.y))
    let grid = LookAroundGrid(window: view.window, period: period) { x, y in
      let place = coverage.place(toPicture.apply(view.ray(x, y)), size)
      return SIMD2(place.x, place.y) * scale - origin
    }
    return Pixels(size: view.window) { output in
      _ = detail.pixels.withBase { base in
        let sampler = PanoramaSampler(base: base, part: detail.pixels.size, period: period, background: background)
        draw(grid, view.window, sampler, quality, output)
      }
    }
  }

  /// The factor picks the level with about one pixel a sample, as in `FlatRenderer`. Samples are farthest apart in the
  /// middle of the window.
  static func level(_ pyramid: Pyramid, _ view: LookAround) -> Int {
    let step = 2 * view.slope / Double(view.window.width)
    let pixels = Double(pyramid.size.width) / view.geometry.horizontalDegrees.radians
    return pyramid.level(forStep: step * pixels * 1.42)
  }

  private static func draw(
    _ grid: LookAroundGrid, _ window: PixelSize, _ sampler: PanoramaSampler, _ quality: Quality,
    _ output: UnsafeMutablePointer<UInt8>
  ) {
    let side = LookAroundGrid.side
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        let (left, top) = (column * side, row * side)
        let (right, bottom) = (min(window.width, left + side), min(window.height, top + side))
        guard let corners = grid.corners(column, row) else {
          for y in top..<bottom {
            for x in left..<right {
              sampler.draw(
                PanoramaSampler.fixed(grid.exact(x, y)), step: .zero, count: 1, quality,
                to: output + 3 * (y * window.width + x))
            }
          }
          continue
        }
        let first = PanoramaSampler.fixed(corners.topLeft)
        let second = PanoramaSampler.fixed(corners.topRight)
        let downLeft = PanoramaSampler.fixed(corners.bottomLeft) &- first
        let downRight = PanoramaSampler.fixed(corners.bottomRight) &- second
        for y in top..<bottom {
          let part = SIMD2(repeating: y - top)
          let from = first &+ (downLeft &* part) &>> 3
          let to = second &+ (downRight &* part) &>> 3
          sampler.draw(
            from, step: (to &- from) &>> 3, count: right - left, quality, to: output + 3 * (y * window.width + left))
        }
      }
    }
  }
}
