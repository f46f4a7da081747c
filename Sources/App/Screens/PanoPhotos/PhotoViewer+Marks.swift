internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

/// The hot spots of a panorama: choosing, following and drawing them.
extension PhotoViewer {
  /// Flat, a photo has no hot spots.
  var hasMarks: Bool { look != nil && !marks.isEmpty }

  /// The id of the chosen hot spot, if a member made it as a door.
  var chosenDoor: String? {
    chosenMark.flatMap { hasMarks && marks.indices.contains($0) ? marks[$0].door : nil }
  }

  /// False, with a sentence, for a photo that is shown flat.
  func isAround(_ frame: inout Frame) -> Bool {
    if look == nil {
      frame.say("The photo is shown flat. \(frame.keys.name(of: .viewerSwitch)) looks around in a panorama.")
    }
    return look != nil
  }

  /// Chooses the next hot spot to the right, or the previous one, and turns the view to it. The first choice is the one
  /// nearest to the middle of the view.
  mutating func chooseMark(by step: Int) {
    guard let look, !marks.isEmpty else { return }
    let next = chosenMark.map { ($0 + step + marks.count) % marks.count } ?? nearest(look)
    chosenMark = next
    let mark = marks[next]
    guard !motion.isReduced else {
      motion.rest()
      self.look?.look(yaw: mark.yawDegrees, pitch: mark.pitchDegrees, fieldOfView: look.fieldOfViewDegrees)
      return
    }
    motion.glide(toYaw: mark.yawDegrees, pitch: mark.pitchDegrees)
  }

  private func nearest(_ look: LookAround) -> Int {
    func distance(_ mark: PhotoMark) -> Double {
      let right = (mark.yawDegrees - look.yawDegrees).remainder(dividingBy: 360)
      let up = mark.pitchDegrees - look.pitchDegrees
      return right * right + up * up
    }
    return marks.indices.min { distance(marks[$0]) < distance(marks[$1]) } ?? 0
  }

  /// A hot spot in a window of cells.
  struct MarkPlace: Sendable, Equatable {
    let mark: Int
    let x: Int
    let y: Int
    /// The symbol, and the label if it is chosen or near the middle.
    let text: String
  }

  /// The hot spots in view, the chosen one last: the last of two that overlap is on top.
  func markPlaces(_ size: Size, isASCII: Bool) -> [MarkPlace] {
    guard var look, size.width > 0, size.height > 0 else { return [] }
    look.resize(to: HalfBlocks.pixels(columns: size.width, rows: size.height))
    let places = marks.indices.compactMap { index -> MarkPlace? in
      let mark = marks[index]
      guard let place = look.place(yaw: mark.yawDegrees, pitch: mark.pitchDegrees) else { return nil }
      let x = min(size.width - 1, Int(place.x / Double(look.window.width) * Double(size.width)))
      let y = min(size.height - 1, Int(place.y / Double(look.window.height) * Double(size.height)))
      let isNear = abs(x - size.width / 2) <= size.width / 4 && abs(y - size.height / 2) <= size.height / 3
      let symbol = Self.symbol(mark, isASCII: isASCII)
      // Brackets tell the chosen one apart without colour.
      let text =
        index == chosenMark ? "[\(symbol) \(mark.label)]" : isNear ? " \(symbol) \(mark.label) " : " \(symbol) "
      let columns = min(size.width, GlyphReader.columns(of: text))
      // The symbol, one column from the beginning, is at the place.
      return MarkPlace(mark: index, x: max(0, min(x - 1, size.width - columns)), y: y, text: text)
    }
    return places.filter { $0.mark != chosenMark } + places.filter { $0.mark == chosenMark }
  }

  /// The hot spot at a cell of the window.
  func mark(atX x: Int, y: Int, _ size: Size, isASCII: Bool) -> Int? {
    markPlaces(size, isASCII: isASCII).last { place in
      place.y == y && (place.x..<place.x + GlyphReader.columns(of: place.text)).contains(x)
    }?.mark
  }

  private static func symbol(_ mark: PhotoMark, isASCII: Bool) -> String {
    String((mark.target == .none ? Symbol.remark : .door).scalar(isASCII: isASCII))
  }

  func drawMarks(on canvas: inout Canvas) {
    for place in markPlaces(canvas.size, isASCII: canvas.isASCII) {
      let style = place.mark == chosenMark ? canvas.bar(.accent) : canvas[.accent]
      canvas.text(place.text, x: place.x, y: place.y, style: style)
    }
  }

  /// One line: the chosen hot spot, or all of them.
  func drawMarkList(on canvas: inout Canvas) {
    let width = canvas.size.width
    canvas.fill(Rect(0, 0, width, 1), style: canvas[.text])
    var x = 1
    guard let chosenMark else {
      x += canvas.text(marks.count == 1 ? "1 place: " : "\(marks.count) places: ", x: x, y: 0, style: canvas[.dim])
      let labels = marks.prefix(width).map(\.label).joined(separator: " \(canvas.symbol(.dot)) ")
      canvas.text(labels, x: x, y: 0, style: canvas[.text], width: max(0, width - x - 1))
      return
    }
    let mark = marks[chosenMark]
    x += canvas.text("\(chosenMark + 1) of \(marks.count)  ", x: x, y: 0, style: canvas[.dim])
    let text = "\(Self.symbol(mark, isASCII: canvas.isASCII)) \(mark.label)"
    x += canvas.text(text, x: x, y: 0, style: canvas[.accent], width: max(0, width - x - 1)) + 2
    canvas.text(mark.destination, x: x, y: 0, style: canvas[.dim], width: max(0, width - x - 1))
  }
}

extension PhotoMark {
  /// The thing behind it, for the list of marks.
  var destination: String {
    switch target {
    case .none: ""
    case .photo(let path, _, _): String(decoding: path.name, as: UTF8.self)
    case .link(let link): link
    case .broken: "leads nowhere"
    }
  }
}
