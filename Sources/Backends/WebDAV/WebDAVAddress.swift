internal import FileStores

/// The address of a club's folder at a WebDAV server, and the addresses of files below it.
///
/// Names travel as percent-encoded bytes. Of an answer's `href` only the name counts: byteclub sends requests to its
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
        .badInput, "\"\(DropboxServer.withoutPassword(text))\" is not the address of a folder.",
        remedy: "Write it as https://cloud.example.org/remote.php/dav/files/ann/Club, without a name or password.")
    }
    guard origin.isEncrypted || origin.isLoopback || allowingPlain else {
      throw StoreError(
        .badInput, "\(origin) is not encrypted: anyone on the way could read the club and your password.",
        remedy: "Use https, or set \"network.allowPlainHTTP\" to \"anywhere\" in the config if you trust the network.")
    }
    (self.origin, self.base) = (origin, base)
  }

  /// The address of a file, or of a folder with the slash at its end that nginx and lighttpd demand.
  func url(_ path: StorePath, isFolder: Bool = false) -> String {
    let parts = base.map { $0[...] } + path.components
    let text = parts.map { "/" + WebDAVAddress.encoded($0) }.joined()
    return origin.description + text + (isFolder || text.isEmpty ? "/" : "")
  }

  /// The address of a path beside the club's folder, such as Nextcloud's `uploads`.
  func url(absolute parts: [[UInt8]], isFolder: Bool = false) -> String {
    origin.description + parts.map { "/" + WebDAVAddress.encoded($0[...]) }.joined() + (isFolder ? "/" : "")
  }

  /// The path of an answer's `href`: an absolute path, or a whole address of this host. nil for another host, for a
  /// place outside the club's folder, and for names that no path can hold (with a slash or NUL, `.`, `..`).
  func path(href: String) -> StorePath? {
    var rest = Substring(href).utf8[...]
    if rest.first != UInt8(ascii: "/") {
      // Behind a proxy a server may believe in another scheme or port.
      guard let other = HTTPOrigin(href), other.host == origin.host else { return nil }
      rest = rest.dropFirst(WebDAVAddress.originBytes(href))
    }
    guard let parts = WebDAVAddress.parts(rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }),
      parts.starts(with: base)
    else { return nil }
    var path = StorePath.root
    for part in parts.dropFirst(base.count) {
      guard let next = try? path.appending(part) else { return nil }
      path = next
    }
    return path
  }

  private static func originBytes(_ url: String) -> Int {
    var slashes = 0
    for (index, byte) in url.utf8.enumerated() where byte == UInt8(ascii: "/") {
      slashes += 1
      if slashes == 3 { return index }
    }
    return url.utf8.count
  }

  /// nil for broken percent signs, and for parts that are `.` or `..`.
  private static func parts(_ path: some Sequence<UInt8>) -> [[UInt8]]? {
    var parts: [[UInt8]] = []
    for part in Array(path).split(separator: UInt8(ascii: "/")) {
      guard let name = decoded(part), !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) else { return nil }
      parts.append(name)
    }
    return parts
  }

  static func decoded(_ part: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = part
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hex), let low = rest.popFirst().flatMap(hex) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Everything but the unreserved characters of RFC 3986 is encoded.
  static func encoded(_ part: ArraySlice<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in part {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        text.append(byte)
      default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
