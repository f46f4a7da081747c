import Basics
import ClubServices
import Database
import FileStores

/// Links of notes to other files of the club. On a page such a link has its target as the note writes it, and the file is
/// looked for when a visitor follows it, so that the text of a page need not be made again when other files move.
enum BrowserLinks {
  private static let field = "?to="

  /// The address of a link, from the page that has it; nil for an address with a scheme, and for one into the same note.
  /// - Parameter isName: true for the name of a `[[note]]`, which has no percent signs.
  static func address(_ target: String, isName: Bool) -> String? {
    let path = target.prefix { $0 != "#" }
    let scheme = path.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
    guard !path.isEmpty, isName || scheme.endIndex == path.endIndex || path[scheme.endIndex] != ":" else { return nil }
    let name = isName ? String(path) : PercentEncoding.decoded(path, plusIsSpace: false)
    return name.map { field + PercentEncoding.encoded($0) }
  }

  /// The note or photo that a link means: by its path from the folder of the linking file, then from the top, then the
  /// file of that name with the shortest path.
  static func target(_ name: String, of thing: ServerNode, in club: ServedClub) async throws -> ServerNode? {
    let parts = PathText.parts(name)
    let above = PathText.parts(PathText.parent(thing.display))
    for folder in above.isEmpty || name.hasPrefix("/") ? [[]] : [above, []] {
      guard let path = path(parts, from: folder) else { continue }
      for spelling in NotesService.spellings(of: path) {
        guard let display = ServedLinks.shownPath("/" + spelling) else { continue }
        if let node = try await club.index.find(display: display), isShown(node) { return node }
      }
    }
    guard let path = path(parts, from: []) else { return nil }
    let ends = NotesService.spellings(of: path).map { Folding.key("/" + $0) }
    let found = try await BrowserLists.newest(club, before: .max, limit: mostAlike) { node in
      isShown(node) && ends.contains { node.key.utf8.count > $0.utf8.count && node.key.hasSuffix($0) }
    }
    return found.files.min {
      ($0.display.utf8.count, $0.display) < ($1.display.utf8.count, $1.display)
    }
  }

  private static let mostAlike = 100

  private static func isShown(_ node: ServerNode) -> Bool {
    !node.isFolder && (BrowserLists.isPhoto(node) || BrowserLists.isNote(node))
  }

  /// A path without `.` and `..`; nil for one that leaves the club, and for none.
  private static func path(_ parts: [String], from folder: [String]) -> String? {
    var path = folder
    for part in parts where part != "." {
      guard part == ".." else {
        path.append(part)
        continue
      }
      if path.popLast() == nil { return nil }
    }
    return path.isEmpty ? nil : path.joined(separator: "/")
  }
}
