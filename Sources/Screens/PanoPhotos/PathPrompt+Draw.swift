internal import TextUI

extension PathPrompt {
  /// From top to bottom: the text, what there is to say of it, and what it could become.
  func draw(on canvas: inout Canvas) {
    let size = canvas.size
    let used = 1 + canvas.text(purpose == .upload ? "Upload: " : "Download to: ", x: 1, y: 0, style: .bold)
    let problem = (problem ?? completion.problem).map { NoticeLine($0, .error) }
    let lines = min(problem?.height(for: size.width) ?? 1, max(1, size.height - 2))
    canvas.inside(Rect(0, 1, size.width, lines)) { part in
      if let problem { problem.draw(on: &part) } else { part.text(words, x: 1, y: 0, style: .dim) }
    }
    let folder = commonFolder
    var list = list
    list.resize(height: max(1, size.height - 1 - lines))
    canvas.inside(Rect(0, 1 + lines, size.width, max(0, size.height - 1 - lines))) { part in
      list.draw(on: &part) { line, row, isSelected in
        guard row < completion.choices.count else { return }
        let choice = completion.choices[row]
        let isChosen = isSelected && chosen != nil
        line.text(isChosen ? ">" : " ", x: 1, y: 0, style: .bold)
        line.text(marks.contains(choice.path) ? "+" : " ", x: 2, y: 0, style: .bold)
        let style: Style = isChosen ? .reverse : choice.isDirectory ? .bold : .plain
        line.text(Array(choice.path.utf8.dropFirst(folder))[...], x: 4, y: 0, style: style, width: line.size.width - 5)
      }
    }
    canvas.inside(Rect(used, 0, size.width - used - 1, 1)) { field.draw(on: &$0) }
  }

  private var words: String {
    if let asked, purpose == .upload {
      return asked.count == 1 ? "Looking at the picture." : "Looking at \(asked.count) pictures."
    }
    if !marks.isEmpty { return "\(marks.count) marked. Enter uploads \(marks.count == 1 ? "it" : "them")." }
    let several = isCompleted ? completion.several.count : 0
    return several > 0 ? "\(several) pictures. Enter uploads all." : ""
  }

  /// The bytes of the folder that all possibilities lie in, which need not be shown in each row.
  private var commonFolder: Int {
    func folder(_ path: String) -> Substring {
      let bare = path.hasSuffix("/") ? path.dropLast() : path[...]
      return bare.lastIndex(of: "/").map { bare[...$0] } ?? ""
    }
    guard let first = completion.choices.first.map({ folder($0.path) }) else { return 0 }
    return completion.choices.allSatisfy { folder($0.path) == first } ? first.utf8.count : 0
  }
}
