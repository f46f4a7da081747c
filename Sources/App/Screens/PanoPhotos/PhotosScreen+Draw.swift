internal import ClubServices
internal import FileStores
internal import TextUI

extension PhotosScreen {
  static func draw(_ state: PhotosState, _ frame: Frame, on canvas: inout Canvas) {
    if let view = state.views.last { return view.draw(state, frame, on: &canvas) }
    let note = state.files.orphanWords ?? state.memory?.sentence
    if let grid = state.grid {
      state.files.draw(frame, on: &canvas, facts: gridFacts(state, frame), hasColumns: false, note: note) {
        drawGrid($0, grid, state, frame, on: &$1)
      }
    } else {
      state.files.draw(frame, on: &canvas, hasColumns: false, note: note) {
        drawRows($0, state, frame, on: &$1)
      }
    }
    if let door = state.door, !state.files.takesText { drawDoor(door, frame, on: &canvas) }
    if let giver = state.giver { FieldLine.draw("Photos from: ", giver, on: &canvas) }
  }

  /// In the last line, as a field is.
  private static func drawDoor(_ door: DoorStart, _ frame: Frame, on canvas: inout Canvas) {
    let (size, name) = (canvas.size, String(decoding: door.from.path.name, as: UTF8.self))
    canvas.fill(Rect(0, size.height - 1, size.width, 1), style: canvas[.text])
    let text = "\(frame.keys.name(of: .listOpen)): the panorama behind the door in \(name)"
    canvas.text(text, x: 1, y: size.height - 1, style: canvas[.accent], width: max(0, size.width - 2))
  }

  private static func drawRows(_ table: EntryTable, _ state: PhotosState, _ frame: Frame, on canvas: inout Canvas) {
    let (list, marks, shown) = (state.files.rows, state.files.marks, state.shown)
    let height = state.itemHeight
    let box = state.thumbnailBox
    for (place, row) in state.files.rowsInView(of: canvas.size.height).enumerated() {
      let part = Rect(0, place * height, canvas.size.width, height)
      canvas.inside(part) { item in
        let isChosen = row == list.selected
        func style(_ role: Role) -> Style { isChosen ? item.bar(role) : item[role] }
        if isChosen {
          item.fill(Rect(0, 0, item.size.width, box.height), style: style(.text))
          item.text(">", x: 1, y: 0, style: style(.accent))
        }
        guard case .photo(let row)? = shown[row] else {
          if case .album(let album, let news)? = shown[row] {
            drawAlbum(album, news: news, isChosen: isChosen, state, frame, on: &item)
          }
          return
        }
        let path = table.path(at: row)
        drawThumbnail(state.thumbnails[path], box, frame.abilities, style(.dim), on: &item, x: 3)
        let left = box.width + 5
        let isMarked = marks.contains(path)
        let remarks = state.files.remarks[path]
        let mark = state.files.news[path] == nil ? nil : item.symbol(.new)
        let new = [mark, remarks?.newMark(isASCII: item.isASCII)].compactMap { $0 }.map { $0 + " " }.joined()
        item.text(new, x: left, y: 0, style: style(.new))
        let start = left + GlyphReader.columns(of: new)
        let plus = isMarked ? "+ " : ""
        let places = table.places(at: row).map { $0.lowerBound + plus.utf8.count..<$0.upperBound + plus.utf8.count }
        let name = Array(plus.utf8) + table.shownName(at: row)
        item.text(
          name[...], x: start, y: 0, style: style(isMarked ? .marked : .text), width: item.size.width - start - 1,
          places: places, lead: state.files.albumBytes(of: name).map { ($0, style(.dim)) })
        let word = state.copy(of: path) != nil ? "on disk" : state.kept.contains(path) ? "cached" : ""
        var facts = table.size(at: row).map { ByteCount.text($0) } ?? ""
        if let modified = table.modified(at: row) {
          let age = "  " + Age.text(of: Int(modified.seconds), now: Int(frame.now))
          // On a narrow screen the word matters more.
          let needed = facts.utf8.count + age.utf8.count + (word.isEmpty ? 0 : word.utf8.count + 2)
          if word.isEmpty || left + needed <= item.size.width { facts += age }
        }
        if table.hasAuthors, let author = table.author(at: row) {
          let used = left + facts.utf8.count + word.utf8.count + 5 + GlyphReader.columns(of: author)
          if used <= item.size.width { facts = "\(author)  \(facts)" }
        }
        if let here = state.files.here[path],
          left + facts.utf8.count + word.utf8.count + GlyphReader.columns(of: here) + 5 <= item.size.width
        {
          facts = facts.isEmpty ? here : "\(here)  \(facts)"
        }
        if let words = remarks?.words, !words.isEmpty,
          left + facts.utf8.count + word.utf8.count + words.utf8.count + 5 <= item.size.width
        {
          facts += facts.isEmpty ? words : "  \(words)"
        }
        let used = item.text(facts, x: left, y: 1, style: style(.dim))
        item.text(word, x: left + used + (used > 0 ? 2 : 0), y: 1, style: style(word == "cached" ? .dim : .success))
        if box.height > 2, let found = (state.files.find.texts ?? state.files.find.found)?.files[path] {
          let text = Array(found.text.utf8)[...]
          item.text(
            text, x: left, y: 2, style: style(.text), width: max(0, item.size.width - left - 1),
            places: NameQuery(words: state.files.find.marked).places(in: text))
        }
        if case .broken(let error) = state.thumbnails[path], box.height > 2, error.kind != .offline {
          item.text(error.message, x: left, y: 2, style: style(.warning), width: item.size.width - left - 1)
        }
      }
    }
  }

  static func drawThumbnail(
    _ thumbnail: PhotosState.Thumbnail?, _ box: Size, _ abilities: TerminalAbilities, _ style: Style,
    on canvas: inout Canvas, x: Int
  ) {
    switch thumbnail {
    case .picture(let picture): PictureCells.draw(picture, x: x, y: 0, abilities, on: &canvas)
    case .broken(let error) where error.kind == .offline:
      canvas.text("offline", x: x, y: 0, style: style, width: box.width)
    case .broken: canvas.text("no picture", x: x, y: 0, style: style, width: box.width)
    case nil: canvas.text("...", x: x, y: 0, style: style)
    }
  }
}
