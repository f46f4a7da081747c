internal import Basics
internal import FileStores

/// The address of a club's folder at a WebDAV server, and the addresses of files below it.
///
/// Names travel as percent-encoded bytes. Of an answer's `href` only the path counts: byteclub sends requests to its
/// own addresses alone.
struct WebDAVAddress: Sendable, Hashable {
  let origin: HTTPOrigin
  /// Decoded, without empty parts.
  let base: [[UInt8]]

  /// - Throws: `badInput` for anything but an address of http or https without a query, and for an unencrypted one on
  ///   another machine unless `allowingPlain`.
  init(_ text: String, allowingPlain: Bool = false) throws(StoreError) {
    guard let origin = HTTPOrigin(text), !text.contains("?"), !text.contains("#"),
      let base = WebDAVAddress.parts(text.utf8.dropFirst(WebDAVAddress.originBytes(text)))
    else {
      throw StoreError(
        .badInput, "\"\(text.withoutAddressPasswords)\" is not the address of a folder.",
        remedy: "Write it as https://cloud.example.org/remote.php/dav/files/ann/Club, without a name or password.")
    }
    try origin.check(secrets: "the club and your password", allowingPlain: allowingPlain)
    (self.origin, self.base) = (origin, base)
  }

  init(origin: HTTPOrigin, base: [[UInt8]]) { (self.origin, self.base) = (origin, base) }

  /// The address of a file, or of a folder with the slash at its end that nginx and lighttpd demand.
  func url(_ path: StorePath, isFolder: Bool = false) -> String {
    let parts = base.map { $0[...] } + path.components
    let text = parts.map { "/" + PercentEncoding.encoded(String(decoding: $0, as: UTF8.self)) }.joined()
    return origin.description + text + (isFolder || text.isEmpty ? "/" : "")
  }

  /// The path of an answer's `href`: an absolute path, or a whole address. nil for a place outside the club's folder,
  /// and for names that no path can hold (with a slash or NUL, `.`, `..`).
  func path(href: String) -> StorePath? {
    guard let parts = WebDAVAddress.parts(href: href), parts.starts(with: base) else { return nil }
    var path = StorePath.root
    for part in parts.dropFirst(base.count) {
      guard let next = try? path.appending(part) else { return nil }
      path = next
    }
    return path
  }

  /// The folder as the server writes it: a proxy may take away the beginning of each request's path, and leave the
  /// answer as it is.
  /// - Parameter own: the `href` of the answer about `path` itself.
  func written(in own: String, for path: StorePath) -> WebDAVAddress {
    let asked = base + path.components.map { Array($0) }
    guard let parts = WebDAVAddress.parts(href: own), !parts.starts(with: base),
      asked.reversed().starts(with: parts.reversed()),
      asked.count - parts.count <= base.count
    else { return self }
    return WebDAVAddress(origin: origin, base: Array(base.dropFirst(asked.count - parts.count)))
  }

  /// Behind a proxy, a server may believe in another scheme, host or port.
  private static func parts(href: String) -> [[UInt8]]? {
    let isWhole = ["http://", "https://"].contains { href.lowercased().hasPrefix($0) }
    guard isWhole || href.hasPrefix("/") else { return nil }
    let rest = href.utf8.dropFirst(isWhole ? originBytes(href) : 0)
    return parts(rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
  }

  private static func originBytes(_ url: String) -> Int {
    var slashes = 0
    for (index, byte) in url.utf8.enumerated() where byte == UInt8(ascii: "/") {
      slashes += 1
      if slashes == 3 { return index }
    }
    return url.utf8.count
  }

  /// nil for broken percent signs, for names that are not UTF-8, and for parts that are `.` or `..`.
  private static func parts(_ path: some Sequence<UInt8>) -> [[UInt8]]? {
    var parts: [[UInt8]] = []
    for part in Array(path).split(separator: UInt8(ascii: "/")) {
      guard let name = PercentEncoding.decoded(String(decoding: part, as: UTF8.self), plusIsSpace: false),
        name != ".", name != ".."
      else { return nil }
      parts.append(Array(name.utf8))
    }
    return parts
  }
}
