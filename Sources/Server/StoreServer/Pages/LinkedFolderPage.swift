import Basics
import Database
import Markdown

/// The page of a folder that a link shares: its folders and files, each with a page of its own.
enum LinkedFolderPage {
  struct Entry: Sendable {
    let name: String
    /// The path of its page, percent-encoded.
    let address: String
    /// In bytes; nil for a folder.
    let size: UInt64?

    fileprivate var html: String {
      let name = HTMLText.name(name) + (size == nil ? "/" : "")
      let facts = size.map { " <span class=\"hint\">\(LinkPages.words(bytes: $0))</span>" } ?? ""
      return "<li><a href=\"\(address)\">\(name)</a>\(facts)</li>\n"
    }
  }

  /// The most entries of a page.
  static let most = 2000

  /// - Parameters:
  ///   - above: the address of the folder above; nil for the link's own.
  ///   - ends: of the link, in seconds since 1970; nil for never.
  static func page(_ name: String, _ entries: [Entry], hasMore: Bool, above: String?, ends: Int64?) -> Page {
    let up = above.map { "<p><a href=\"\($0)\">The folder above</a></p>\n" } ?? ""
    let list =
      entries.isEmpty
      ? "<p>There is nothing in this folder.</p>" : "<ul>\n\(entries.map(\.html).joined())</ul>"
    let rest = hasMore ? "\n<p class=\"hint\">There is more in this folder. The download has all of it.</p>" : ""
    let about = hasMore ? "more than \(most) entries" : entries.count == 1 ? "1 entry" : "\(entries.count) entries"
    return LinkPages.page(name, about: about, ends: ends, .text("<main>\(up)\(list)\(rest)</main>"))
  }

  static func page(_ found: ServedLinks.Found, _ nodes: [ServerNode], at word: String) -> Page {
    func address(_ node: ServerNode) -> String {
      ServedLinks.path + word + "/"
        + PercentEncoding.encoded(found.top.name + found.below(of: node), keepingSlashes: true)
    }
    let shown = nodes.prefix(most)
    let sorted = shown.filter(\.isFolder) + shown.filter { !$0.isFolder }
    var above: String?
    let below = found.below(of: found.file)
    if !below.isEmpty {
      let parent = PercentEncoding.encoded(found.top.name + PathText.parent(below), keepingSlashes: true)
      above = ServedLinks.path + word + "/" + parent
    }
    return page(
      found.file.name,
      sorted.map { Entry(name: $0.name, address: address($0), size: $0.isFolder ? nil : $0.size) },
      hasMore: nodes.count > most, above: above, ends: found.link.expires)
  }
}
