import Basics
import Database
import FileStores

/// A link to a folder shows all that is below it, but for hidden files and folders, such as the trash.
extension ServedLinks {
  /// The path of an address below its link's folder, such as `/day 1/pier.jpg`; empty for the folder itself. The first name
  /// after the word is the folder's, for people; nil for an address that is no path.
  static func below(inPath path: Substring) -> String? {
    var below = ""
    for part in path.dropFirst(self.path.count).split(separator: "/").dropFirst(2) {
      guard let name = PercentEncoding.decoded(part, plusIsSpace: false), !PathText.hasSlash(name) else { return nil }
      below += "/" + name
    }
    return below
  }

  static func below(inURL url: String) -> String? { below(inPath: path(ofURL: url)) }

  /// True for a path below a link's folder that the link shows.
  static func shows(_ below: some StringProtocol) -> Bool {
    PathText.parts(below).allSatisfy { $0.utf8.first != UInt8(ascii: ".") }
  }

  /// A path that an address has; nil if no file has such a path, or none is shown there.
  static func shownPath(_ text: String) -> String? {
    do throws(APIFailure) {
      guard case .path(let path) = try ClubPath(text, [], space: ""), shows(path) else { return nil }
      return path
    } catch {
      return nil
    }
  }

  /// The file or folder at a path below the link's; nil if the link shows none there.
  func found(_ found: Found, below: String) async throws(StoreError) -> Found? {
    guard !below.isEmpty else { return found }
    guard found.file.isFolder, let path = ServedLinks.shownPath(below),
      let node = try await index.find(display: found.file.display + path)
    else { return nil }
    return Found(found.link, to: found.top, below: node)
  }

  /// The entries of a folder that its page shows, at most `limit` and one more; nil if the folder is gone.
  func contents(of folder: ServerNode, limit: Int) async throws(StoreError) -> [ServerNode]? {
    try await ifThere(or: [.badInput]) { () throws(StoreError) in
      if !index.isFollowing { try await index.scan(folder, recursive: false) }
      return try await index.read { try $0.listed(in: .children(folder.key), after: "", limit: limit + 1) }
        .filter { ServedLinks.shows($0.name) }
    }
  }
}
