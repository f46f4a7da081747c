public import TextUI

/// Screens of one size as an SVG document that shows one after the other, without an end.
///
/// All frames share the rows that are equal in them, and the colour that a half of a cell mostly has: a frame holds the
/// rest. Cascading style sheets alone move it, so it plays as an image of a page, too. A reader who wants no motion, or a
/// program that knows none, sees one frame.
public struct ScreenFilm: Sendable {
  public struct Frame: Sendable {
    let picture: ScreenPicture
    /// In frames of ordinary length.
    let length: Int

    public init(_ grid: Grid, length: Int = 1) {
      (picture, self.length) = (ScreenPicture(grid, title: ""), max(1, length))
    }
  }

  private static let millisecondsPerFrame = 120

  private let frames: [Frame]
  private let still: Int
  private let title: String
  private let mark: String

  /// - Parameter still: the index of the frame that stands alone where nothing moves.
  public init(_ frames: [Frame], still: Int, title: String, mark: String) {
    (self.frames, self.still, self.title, self.mark) = (frames, still, title, mark)
  }

  /// As `ScreenPicture.svg`; nil for no frames, too, and for frames of several sizes.
  public func svg(mostBytes: Int = 200_000) -> String? {
    guard let size = frames.first?.picture.grid.size, frames.allSatisfy({ $0.picture.grid.size == size }),
      frames.indices.contains(still)
    else { return nil }
    for bits in [8, 6, 5, 4, 3] as [UInt32] {
      let document = document(size, bits: bits)
      if document.utf8.count <= mostBytes { return document }
    }
    return nil
  }

  private func document(_ size: Size, bits: UInt32) -> String {
    let rows = Array(0..<size.height)
    let first = frames[0].picture
    let moved = rows.filter { y in frames.contains { !$0.picture.grid.row(y).elementsEqual(first.grid.row(y)) } }
    let fillings = frames.map { frame in
      (0..<(2 * size.height)).map { half in
        (0..<size.width).map { frame.picture.filling($0, half, bits: bits) ?? PictureColour.ground }
      }
    }
    let common = (0..<(2 * size.height)).map { half in
      (0..<size.width).map { x in ScreenFilm.mostFrequent(fillings.map { $0[half][x] }) }
    }
    var lines = ScreenPicture.blocks(size) { x, half in
      common[half][x] == PictureColour.ground ? nil : common[half][x]
    }
    lines += first.texts(ofRows: rows.filter { !moved.contains($0) })
    for (index, frame) in frames.enumerated() {
      lines.append(#"<g class="f" id="f\#(index)">"#)
      lines += ScreenPicture.blocks(size) { x, half in
        let own = fillings[index][half][x]
        return own == common[half][x] ? nil : own
      }
      lines += frame.picture.rules() + frame.picture.texts(ofRows: moved) + ["</g>"]
    }
    return ScreenPicture.window(size, title: title, mark: mark, style: style, lines)
  }

  /// The first of those that come most often.
  private static func mostFrequent(_ colours: [UInt32]) -> UInt32 {
    var counts: [UInt32: Int] = [:]
    for colour in colours { counts[colour, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    return colours.first { counts[$0] == most } ?? PictureColour.ground
  }

  /// Each frame is visible for its part of the time.
  private var style: String {
    let whole = frames.reduce(0) { $0 + $1.length }
    let seconds = Double(whole * Self.millisecondsPerFrame) / 1000
    var rules = ".f{visibility:hidden;animation:\(seconds)s step-end infinite}#f\(still){visibility:visible}"
    var start = 0
    for (index, frame) in frames.enumerated() {
      let end = start + frame.length
      let (from, to) = (Double(start * 10_000 / whole) / 100, Double(end * 10_000 / whole) / 100)
      rules += "#f\(index){animation-name:k\(index)}@keyframes k\(index){"
      if start > 0 { rules += "0%{visibility:hidden}" }
      rules += "\(from)%{visibility:visible}"
      rules += end < whole ? "\(to)%,to{visibility:hidden}}" : "to{visibility:visible}}"
      start = end
    }
    return rules + "@media(prefers-reduced-motion:reduce){.f{animation:none!important}}"
  }
}
