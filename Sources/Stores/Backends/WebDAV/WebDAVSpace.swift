internal import FileStores
internal import XML

/// The space of a folder's owner in bytes, as far as the server tells it (RFC 4331).
struct WebDAVSpace: Sendable, Hashable {
  let used: UInt64?
  let free: UInt64?

  static let question = Array(
    """
    <?xml version="1.0" encoding="utf-8"?>
    <D:propfind xmlns:D="DAV:"><D:prop><D:resourcetype/><D:quota-available-bytes/><D:quota-used-bytes/></D:prop>\
    </D:propfind>
    """.utf8)

  /// nil if the server tells neither. Nextcloud writes negative numbers for "unknown" and "no limit".
  init?(_ property: (String) -> XMLNode?) {
    used = property("quota-used-bytes").flatMap { UInt64($0.text.trimmed) }
    free = property("quota-available-bytes").flatMap { UInt64($0.text.trimmed) }
    if used == nil, free == nil { return nil }
  }

  /// Such as `12 MiB`, rounded down.
  static func text(_ bytes: UInt64) -> String {
    switch bytes {
    case ..<(1 << 20): "\(bytes >> 10) KiB"
    case ..<(10 << 30): "\(bytes >> 20) MiB"
    default: "\(bytes >> 30) GiB"
    }
  }
}

extension WebDAVClient {
  /// The space of the club's folder; nil if the server does not tell.
  func space() async throws(StoreError) -> WebDAVSpace? {
    var space: WebDAVSpace?
    _ = try await at(club).propfind(.root, isFolder: true, isDeep: false, asking: WebDAVSpace.question) { resource in
      space = resource?.space ?? space
    }
    return space
  }

  /// A `quota` error that says how much is free, if the server tells.
  func withSpace(_ error: StoreError) async -> StoreError {
    let free: UInt64?
    do throws(StoreError) {
      free = try await space()?.free
    } catch {
      // The refusal itself is the news.
      free = nil
    }
    guard let free else { return error }
    let space = WebDAVSpace.text(free)
    // A server of which only a part is full, such as the place of its uploads.
    let message =
      free < 1 << 30
      ? "\(name) has no space left: \(space) are free."
      : "\(name) refuses more bytes, although it says that \(space) are free."
    return StoreError(.quota, message, remedy: error.remedy, path: error.path)
  }
}
