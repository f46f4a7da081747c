internal import Basics
internal import FileStores

/// The facts about an upload, from which any process goes on.
struct NextcloudSession: ChunkedSession {
  let path: StorePath
  /// Of the whole file, as `begin` got it; 0 if it did not.
  let size: UInt64
  let chunkBytes: Int
  var exactBytes: Int? { chunkBytes }
  let id: String

  init(path: StorePath, size: UInt64? = nil, chunkBytes: Int, _ random: () -> UInt64) {
    (self.path, self.size, self.chunkBytes) = (path, size ?? 0, chunkBytes)
    id = "byteclub-" + String(random(), radix: 36) + String(random(), radix: 36)
  }

  /// nil for a session of another store.
  init?(_ session: UploadSession) {
    let parts = session.id.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0] == "nextcloud", let bytes = Int(parts[1]), bytes > 0, let size = UInt64(parts[2]),
      parts[3].hasPrefix("byteclub-"), parts[3].utf8.count < 64,
      parts[3].utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2D }),
      let path = Base64.bytes(of: parts[4], .url).flatMap({ try? StorePath($0) }), !path.isRoot
    else { return nil }
    (self.path, self.size, chunkBytes, id) = (path, size, bytes, String(parts[3]))
  }

  var word: UploadSession {
    UploadSession("nextcloud.\(chunkBytes).\(size).\(id).\(Base64.text(of: path.bytes, .url))")
  }

  /// The name of the assembled file until it gets its own.
  var part: StorePath {
    get throws(StoreError) { try StorePath(".byteclub-part-" + id.dropFirst("byteclub-".utf8.count)) }
  }

  func address(in place: WebDAVAddress) -> WebDAVAddress {
    WebDAVAddress(origin: place.origin, base: place.base + [Array(id.utf8)])
  }
}

extension WebDAVAddress {
  /// The folder for uploads of the member whose files this is; nil for an address of another shape than
  /// `…/remote.php/dav/files/USER/…`.
  var nextcloudUploads: WebDAVAddress? {
    let words = ["remote.php", "dav", "files"].map { Array($0.utf8) }
    guard base.count >= 4, let start = (0...(base.count - 4)).first(where: { Array(base[$0..<$0 + 3]) == words }) else {
      return nil
    }
    return WebDAVAddress(
      origin: origin, base: base[..<(start + 2)] + [Array("uploads".utf8), base[start + 3]])
  }
}
