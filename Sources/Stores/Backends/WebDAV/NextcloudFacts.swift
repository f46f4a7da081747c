internal import Basics
internal import FileStores

/// Header fields with which a Nextcloud or an ownCloud keeps facts about a file: `X-OC-Mtime`, the time of its content in
/// seconds since 1970, and `OC-Checksum`, a hash of its bytes. An ownCloud compares the hash with the bytes; a Nextcloud
/// repeats it with the file, until other bytes come. Source: Nextcloud's developer manual, "Basic APIs", "Special headers".
struct NextcloudFacts {
  private static let kind = "SHA1:"

  /// nil if the club's address is not that of files at such a server.
  init?(_ address: WebDAVAddress) {
    if address.nextcloudUploads == nil { return nil }
  }

  /// Adds the fields of a PUT. Only bytes in memory have a hash.
  func note(_ content: WebDAVStore.Content, in headers: inout HTTPHeaders) {
    headers["X-OC-Mtime"] = NextcloudFacts.time(content.source.modified)
    if case .bytes(let bytes) = content.body {
      headers["OC-Checksum"] = NextcloudFacts.kind + SHA1.hexadecimal(of: bytes)
    }
  }

  /// nil for times of the first day, which a Nextcloud refuses together with the file.
  static func time(_ modified: Timestamp?) -> String? {
    modified.flatMap { $0.seconds > 86_400 ? String($0.seconds) : nil }
  }

  /// Collects the bytes of a whole small file, and compares them with the answer's hash.
  struct Check {
    private let wanted: String
    private var bytes: [UInt8] = []

    /// nil if the answer has no hash that this program knows. A server may name several, with spaces between them.
    init?(_ response: HTTPResponse) {
      let all = response.headers["OC-Checksum"]?.split(separator: " ") ?? []
      guard response.status == 200, let found = all.first(where: { $0.hasPrefix(NextcloudFacts.kind) }) else {
        return nil
      }
      wanted = found.dropFirst(NextcloudFacts.kind.count).lowercased()
    }

    mutating func add(_ chunk: ByteChunk) { bytes += chunk }

    var isRight: Bool { SHA1.hexadecimal(of: bytes) == wanted }
  }
}
