internal import Backends
internal import FileStores

struct MemoryChanges: ChangeFeed {
  let store: MemoryStore

  func start() async throws(StoreError) -> ChangeCursor {
    try store.checkCancelled("The watch", .root)
    return store.log.cursor
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    await set(try await store.log.news(since: cursor))
  }

  func poll(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    try store.checkCancelled("The watch", .root)
    return await set(store.log.newsSoFar(since: cursor))
  }

  private func set(_ news: ChangeLog.News) async -> ChangeSet {
    var changes: [ChangeSet.Change] = []
    for path in news.paths {
      if let entry = try? await store.entry(at: path) {
        changes.append(.present(entry))
      } else {
        changes.append(.absent(path))
      }
    }
    return ChangeSet(changes: changes, cursor: news.cursor, mustRelist: news.mustRelist)
  }
}

/// The position after the last listed path. It holds the whole state of a listing, so it never expires.
struct MemoryCursor {
  var folder: StorePath
  var options: ListOptions
  var last: StorePath
  var changes: ChangeCursor

  init(folder: StorePath, options: ListOptions, last: StorePath, changes: ChangeCursor) {
    self.folder = folder
    self.options = options
    self.last = last
    self.changes = changes
  }

  init?(_ cursor: ListCursor) {
    let parts = cursor.value.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 4, let folder = MemoryCursor.path(parts[1]), let last = MemoryCursor.path(parts[2]) else {
      return nil
    }
    self.init(
      folder: folder, options: ListOptions(parts[0].contains("f") ? .full : .names, recursive: parts[0].contains("r")),
      last: last, changes: ChangeCursor(String(parts[3])))
  }

  var cursor: ListCursor {
    let flags = (options.detail == .full ? "f" : "n") + (options.recursive ? "r" : "")
    return ListCursor(
      [flags, MemoryCursor.text(folder), MemoryCursor.text(last), changes.value].joined(separator: ":"))
  }

  private static func text(_ path: StorePath) -> String {
    path.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func path(_ text: Substring) -> StorePath? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(byte)
    }
    return try? StorePath(bytes)
  }
}
