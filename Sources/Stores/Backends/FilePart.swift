internal import FileStores

/// The requested part of a file, cut out of a response that may hold more, less, another part, or another server's page.
///
/// The one rule for all stores: an answer whose length, type or headers show that it is not this file is refused before
/// its first byte, and the bytes that complete the file are delivered only once the answer has ended with them.
struct FilePart {
  private let path: StorePath
  private let server: String
  private let size: UInt64
  /// The end of the part.
  private let end: UInt64
  /// Bytes before the part, from a server that ignores ranges.
  private var surplus: UInt64
  private var next: UInt64
  private var hasDelivered = false
  /// The bytes that complete the part.
  private var last: ByteChunk = []

  /// - Parameter isOwn: true if the response carries the API's own header about this revision. Without one, its length
  ///   must be the file's, and its type not that of a page.
  /// - Throws: `server` if the response announces another part, or is not about the file.
  init(
    of path: StorePath, _ options: ReadOptions, size: UInt64, in response: HTTPResponse, _ server: String,
    isOwn: Bool = true
  ) throws(StoreError) {
    let offset = options.offset
    let isPart = response.status == 206
    let range = response.headers["Content-Range"]
    // An empty file has no part that a header could name; a server may say "bytes */0".
    if isPart, size > 0 || offset > 0, !FilePart.begins(range, at: offset, of: size) {
      throw .wrongPart(path, server, from: offset)
    }
    guard isOwn || response.contentLength != nil && !FilePart.isPage(response, path) else {
      throw .foreignPage(path, server)
    }
    let stated = FilePart.length(of: range)
    // A server that takes no end of a range says a longer part.
    let start = min(offset, size)
    let end = isPart ? max(min(options.end ?? size, size), start + min(stated ?? 0, size - start)) : size
    if let length = response.contentLength {
      if length > (isPart ? end - min(offset, end) : size) { throw .tooManyBytes(path, server, size: size) }
      if !isPart, length < size { throw .tooFewBytes(path, server, sent: length, size: size) }
      if isPart, let stated, length < stated {
        throw .tooFewBytes(path, server, sent: offset + length, size: size)
      }
    }
    (self.path, self.server, self.size, self.end) = (path, server, size, end)
    surplus = isPart ? 0 : offset
    next = offset
  }

  /// The bytes of a chunk that may be passed on.
  /// - Throws: `server` if the response continues past the end of the file; `corrupt` if bytes of it were passed on, so
  ///   that nobody goes on behind them.
  mutating func take(_ chunk: ByteChunk) throws(StoreError) -> ByteChunk {
    let before = min(surplus, UInt64(chunk.count))
    surplus -= before
    let bytes = chunk.dropFirst(Int(before))
    guard UInt64(bytes.count) <= end - min(next, end) else {
      throw .tooManyBytes(path, server, size: size, isDelivered: hasDelivered)
    }
    next += UInt64(bytes.count)
    if bytes.isEmpty { return bytes }
    if next == end {
      last = bytes
      return []
    }
    hasDelivered = true
    return bytes
  }

  /// The last bytes of the part, after the end of the response.
  /// - Throws: `server` if the response ended before the part.
  func finish() throws(StoreError) -> ByteChunk {
    guard next == end else { throw .tooFewBytes(path, server, sent: next, size: size) }
    return last
  }

  private static func begins(_ range: String?, at offset: UInt64, of size: UInt64) -> Bool {
    guard let words = range?.split(separator: " "), words.count == 2, words[0] == "bytes" else { return false }
    let parts = words[1].split { $0 == "-" || $0 == "/" }
    return parts.count == 3 && UInt64(parts[0]) == offset && (parts[2] == "*" || UInt64(parts[2]) == size)
  }

  /// The length of the part that a header announces; nil if it says none.
  private static func length(of range: String?) -> UInt64? {
    guard let parts = range?.split(separator: " ").last?.split(separator: "/").first?.split(separator: "-"),
      parts.count == 2, let first = UInt64(parts[0]), let last = UInt64(parts[1]), first <= last, last < .max
    else { return nil }
    return last - first + 1
  }

  /// True for a web page in place of a file of another type.
  private static func isPage(_ response: HTTPResponse, _ path: StorePath) -> Bool {
    guard response.isPage else { return false }
    let name = String(decoding: path.name, as: UTF8.self).lowercased()
    return ![".html", ".htm", ".xhtml"].contains { name.hasSuffix($0) }
  }
}

extension ReadOptions {
  /// - Throws: `conflict` for a file of another revision; `badInput` for a part past its end.
  func check(_ there: FileEntry, _ size: UInt64, at path: StorePath) throws(StoreError) {
    if let revision, there.revision != revision { throw .conflict(path, there) }
    if offset > size { throw .pastTheEnd(path, offset, size) }
  }

  /// The value of the header `Range`; nil for a whole file.
  var range: String? {
    let end = end.flatMap { $0 > offset ? $0 : nil }
    return offset == 0 && end == nil ? nil : "bytes=\(offset)-" + (end.map { String($0 - 1) } ?? "")
  }
}

extension HTTPResponse {
  /// True for the type of a web page, such as the sign-in page of a network.
  var isPage: Bool {
    let type = headers["Content-Type"]?.lowercased() ?? ""
    return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
  }
}
