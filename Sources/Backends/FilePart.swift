internal import FileStores

/// The requested part of a file, cut out of a response that may hold more, less, or another part.
struct FilePart {
  private let path: StorePath
  private let server: String
  private let size: UInt64
  /// Bytes before the part, from a server that ignores ranges.
  private var surplus: UInt64
  private var next: UInt64
  private var isExceeded = false

  /// - Throws: `server` if the response announces another part.
  init(
    of path: StorePath, from offset: UInt64, size: UInt64, in response: HTTPResponse, _ server: String
  ) throws(StoreError) {
    if response.status == 206, !FilePart.begins(response.headers["Content-Range"], at: offset, of: size) {
      throw .wrongPart(path, server, from: offset)
    }
    (self.path, self.server, self.size) = (path, server, size)
    surplus = response.status == 206 ? 0 : offset
    next = offset
  }

  mutating func take(_ chunk: ByteChunk) -> ByteChunk {
    let before = min(surplus, UInt64(chunk.count))
    surplus -= before
    let rest = chunk.dropFirst(Int(before))
    let bytes = rest.prefix(Int(clamping: size - min(next, size)))
    next += UInt64(bytes.count)
    isExceeded = bytes.count < rest.count
    return bytes
  }

  /// - Throws: `server` if the response continues past the end of the file.
  func checkExcess() throws(StoreError) {
    if isExceeded { throw .tooManyBytes(path, server, size: size) }
  }

  /// - Throws: `server` if the response ended before the file.
  func checkWhole() throws(StoreError) {
    guard next == size else { throw .tooFewBytes(path, server, sent: next, size: size) }
  }

  private static func begins(_ range: String?, at offset: UInt64, of size: UInt64) -> Bool {
    guard let words = range?.split(separator: " "), words.count == 2, words[0] == "bytes" else { return false }
    let parts = words[1].split { $0 == "-" || $0 == "/" }
    return parts.count == 3 && UInt64(parts[0]) == offset && (parts[2] == "*" || UInt64(parts[2]) == size)
  }
}
