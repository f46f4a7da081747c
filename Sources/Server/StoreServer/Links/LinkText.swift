import Basics
import Database
import FileStores
import Markdown

/// The middle of a link's page about a text: made once for each version of the file, some at a time, and never while the
/// visitors' connections wait on their threads.
enum LinkText {
  /// The largest file that a page shows, in bytes.
  static let largest: UInt64 = 1 << 20
  /// A rendered note that is longer, because of what its marks mean in HTML, is shown as it is.
  private static let largestRendered = 4 << 20
  /// So many are made at once. Members' requests have the other threads.
  private static let lanes = 3

  /// - Parameter isLinked: true on a member's page, whose links lead to other files of the club.
  /// - Throws: errors of reading the file; `CancellationError` if the visitor goes.
  static func make(of file: ServerNode, isLinked: Bool = false, in club: ServedClub) async throws -> Made {
    let name = isLinked ? MadeCache.Name(file: file.id + " linked", rev: file.rev) : MadeCache.Name(file)
    if let known = club.texts[name] { return known }
    let locks = club.index.locks
    return try await locks.reading("link text of \(name.file)") {
      // The one before may have made it.
      if let known = club.texts[name] { return known }
      return try await someAtOnce(locks) {
        let bytes = try await club.index.store.readAll(
          file.path, ifRevision: file.storeRevision, limit: Int(largest)
        ).bytes
        let made = await club.index.pool.run { Array(text(named: file.name, bytes, isLinked: isLinked).utf8) }
        return club.texts.keep(made, as: name)
      }
    }
  }

  /// Runs `body` beside few others.
  static func someAtOnce<Value>(_ locks: KeyedLocks, _ body: () async throws -> Value) async throws -> Value {
    let lane = (0..<lanes).map { "link text \($0)" }.min { locks.count(of: $0) < locks.count(of: $1) }
    return try await locks.reading(lane ?? "link text", body)
  }

  /// As HTML.
  static func text(named name: String, _ bytes: [UInt8], isLinked: Bool = false) -> String {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return LinkPages.unshown }
    guard MarkdownDocument.isMarkdown(named: Array(name.utf8)[...], beginning: bytes) else {
      return LinkPages.plain(text)
    }
    let document = MarkdownDocument(bytes)
    let html = isLinked ? MarkdownHTML.text(document, page: BrowserLinks.address) : MarkdownHTML.text(document)
    return html.utf8.count > largestRendered ? LinkPages.plain(text) : LinkPages.rendered(html)
  }
}
