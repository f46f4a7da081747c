internal import FileStores
internal import Imaging
public import TextUI

extension PhotosScreen {
  /// Draws the body: the topmost view, or the list. The lines around it are the root's.
  public static func draw(_ state: PhotosState, on canvas: inout Canvas) {
    if let facts = state.facts {
      canvas.inside(Rect(1, 1, canvas.size.width - 2, canvas.size.height - 1)) { facts.draw(on: &$0) }
      return
    }
    switch state.view {
    case nil: state.files.draw(state.frame, on: &canvas) { drawRows($0, state, on: &$1) }
    case .viewer(let viewer): draw(viewer, state.frame, on: &canvas)
    case .path(let prompt): prompt.draw(on: &canvas)
    }
  }

  private static func drawRows(_ table: EntryTable, _ state: PhotosState, on canvas: inout Canvas) {
    let (list, marks) = (state.files.rows, state.files.marks)
    let height = state.itemHeight
    let box = state.thumbnailBox
    for (place, row) in state.files.rowsInView(of: canvas.size.height).enumerated() where row < table.count {
      let part = Rect(0, place * height, canvas.size.width, height)
      canvas.inside(part) { item in
        let path = table.path(at: row)
        let isChosen = row == list.selected
        drawThumbnail(state.thumbnails[path], box, state.frame.abilities, on: &item, x: 3)
        item.text(isChosen ? ">" : " ", x: 1, y: 0, style: .bold)
        if isChosen { for y in 1..<max(1, height - 1) { item.text("|", x: 1, y: y, style: .bold) } }
        let left = box.width + 5
        let style: Style = isChosen ? .reverse : marks.contains(path) ? .bold : .plain
        let plus = marks.contains(path) ? "+ " : ""
        let places = table.places(at: row).map { $0.lowerBound + plus.utf8.count..<$0.upperBound + plus.utf8.count }
        item.text(
          Array(plus.utf8) + table.name(at: row), x: left, y: 0, style: style, width: item.size.width - left - 1,
          places: places, with: [.underline, .bold])
        guard height > 1 else { return }
        let word = state.copy(of: path) != nil ? "on disk" : state.kept.contains(path) ? "cached" : ""
        var facts = table.size(at: row).map { ByteCount.text($0) } ?? ""
        if let modified = table.modified(at: row) {
          let age = "  " + Age.text(of: Int(modified.seconds), now: Int(state.frame.now))
          // On a narrow screen the word matters more.
          let needed = facts.utf8.count + age.utf8.count + (word.isEmpty ? 0 : word.utf8.count + 2)
          if word.isEmpty || left + needed <= item.size.width { facts += age }
        }
        let used = item.text(facts, x: left, y: 1, style: .dim)
        item.text(word, x: left + used + (used > 0 ? 2 : 0), y: 1, style: word == "cached" ? .dim : .plain)
        if case .broken(let error) = state.thumbnails[path], height > 2 { item.text(error.message, x: left, y: 2) }
      }
    }
  }

  private static func drawThumbnail(
    _ thumbnail: PhotosState.Thumbnail?, _ box: Size, _ abilities: TerminalAbilities, on canvas: inout Canvas, x: Int
  ) {
    switch thumbnail {
    case .picture(let picture): PictureCells.draw(picture, x: x, y: 0, abilities, on: &canvas)
    case .broken: canvas.text("no picture", x: x, y: 0, style: .dim, width: box.width)
    case nil: canvas.text("...", x: x, y: 0, style: .dim)
    }
  }

  private static func draw(_ viewer: PhotoViewer, _ frame: Frame, on canvas: inout Canvas) {
    let width = canvas.size.width
    var facts = ""
    if let view = viewer.view {
      facts = "\(view.picture.width) x \(view.picture.height)  \(Int((view.magnification * 100).rounded())) %"
      if !viewer.isWhole { facts = "loading  " + facts }
    } else if viewer.problem == nil {
      facts = "loading"
    }
    let left = max(0, width - facts.utf8.count - 2)
    canvas.text(viewer.path.bytes[...], x: 1, y: 0, style: .bold, width: max(0, left - 1))
    canvas.text(facts, x: left + 1, y: 0, style: .dim)
    if let problem = viewer.problem {
      problem.draw("byteclub could not show the photo.", frame, on: &canvas, y: 2)
    }
    guard let pyramid = viewer.pyramid, var view = viewer.view else { return }
    let part = Rect(0, 1, width, canvas.size.height - 1)
    view.resize(to: HalfBlocks.pixels(columns: max(1, part.width), rows: max(1, part.height)))
    let picture = HalfBlockPicture(FlatRenderer.render(pyramid, view))
    canvas.inside(part) { PictureCells.draw(picture, x: 0, y: 0, frame.abilities, on: &$0) }
  }
}

/// Puts a picture into cells: half-blocks in colour, or characters by brightness where there is none.
enum PictureCells {
  private static let upperHalf: UInt32 = 0x2580

  static func draw(
    _ picture: HalfBlockPicture, x: Int, y: Int, _ abilities: TerminalAbilities, on canvas: inout Canvas
  ) {
    let isPlain = abilities.colors == .none || abilities.asciiOnly
    let characters = isPlain ? picture.characters() : []
    for row in 0..<min(picture.rows, canvas.size.height - y) {
      for column in 0..<min(picture.columns, canvas.size.width - x) {
        let index = row * picture.columns + column
        let cell =
          isPlain
          ? Cell(base: UInt32(characters[index]))
          : Cell(
            base: upperHalf,
            style: Style(foreground: .rgb(picture.tops[index]), background: .rgb(picture.bottoms[index])))
        canvas.cell(cell, x: x + column, y: y + row)
      }
    }
  }
}
