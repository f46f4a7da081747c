internal import Basics
internal import FileStores
internal import XML

/// One `response` of a PROPFIND (RFC 4918, section 14.24) as an entry of the club.
struct WebDAVResource: Sendable {
  /// Sent with each PROPFIND.
  static let question = Array(
    """
    <?xml version="1.0" encoding="utf-8"?>
    <D:propfind xmlns:D="DAV:"><D:prop><D:resourcetype/><D:getcontentlength/><D:getlastmodified/><D:getetag/>\
    </D:prop></D:propfind>
    """.utf8)

  /// Without a size for a file whose length the answer does not have.
  private(set) var entry: FileEntry
  /// nil without an ETag in the answer.
  let tag: WebDAVTag?
  /// nil unless asked for.
  let space: WebDAVSpace?
  /// The time of the last change, in seconds since 1970, of folders, too.
  let changed: Int64?

  /// nil for anything but a readable description of something below the club's folder.
  init?(_ node: XMLNode, _ address: WebDAVAddress) {
    guard node.name.local == "response", let href = node["DAV:", "href"]?.text.trimmed,
      let path = address.path(href: href), node["DAV:", "status"].map({ WebDAVResource.isGood($0.text) }) ?? true
    else { return nil }
    let properties = node.all("propstat").filter { WebDAVResource.isGood($0["DAV:", "status"]?.text ?? "200") }
      .compactMap { $0["DAV:", "prop"] }
    func property(_ name: String) -> XMLNode? { properties.lazy.compactMap { $0["DAV:", name] }.first }
    space = WebDAVSpace(property)
    changed = property("getlastmodified").flatMap { HTTPDate.seconds(of: $0.text.trimmed) }
    if property("resourcetype")?["DAV:", "collection"] != nil {
      tag = property("getetag").flatMap { WebDAVTag($0.text) }
      entry = FileEntry(path: path, kind: .folder)
      return
    }
    tag = property("getetag").flatMap { WebDAVTag($0.text) }
    entry = FileEntry(path: path, kind: .file)
    if let size = property("getcontentlength").flatMap({ UInt64($0.text.trimmed) }) { entry = sized(size).entry }
  }

  /// The same file with its length.
  func sized(_ size: UInt64) -> WebDAVResource {
    var whole = self
    whole.entry = FileEntry(
      path: entry.path, kind: .file, size: size, modified: changed.map { Timestamp(seconds: $0) },
      revision: tag?.revision(of: entry.path) ?? WebDAVTag.revision(entry.path, size: size, seconds: changed ?? 0))
    return whole
  }

  private static func isGood(_ status: String) -> Bool {
    let words = status.split(separator: " ")
    return (words.count > 1 ? words[1] : words.first ?? "").hasPrefix("2")
  }
}

/// An entity tag (RFC 9110, section 8.8.3).
struct WebDAVTag: Sendable, Hashable {
  /// Without quotes. Some servers leave them out themselves.
  let opaque: String
  /// True if the server may not compare it: Apache says so for a second after each write.
  let isWeak: Bool

  /// nil for an empty tag, and for one with other characters than a header may have.
  init?(_ text: String) {
    var rest = Substring(text.trimmed)
    isWeak = rest.hasPrefix("W/")
    if isWeak { rest = rest.dropFirst(2) }
    if rest.count >= 2, rest.hasPrefix("\""), rest.hasSuffix("\"") { rest = rest.dropFirst().dropLast() }
    guard !rest.isEmpty, rest.utf8.count <= 500, rest.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x22 }) else {
      return nil
    }
    opaque = String(rest)
  }

  /// The path is a part of it: sabre/dav gives files with the same bytes the same tag.
  func revision(of path: StorePath) -> Revision {
    Revision("e\(opaque)@\(SHA256.hexadecimal(of: path.bytes).prefix(8))")
  }

  /// The quoted tag of a revision, for `If-Match`; nil if the revision comes from time and size.
  /// - Parameter isWeak: true for a server that compares the tag with the sign of a weak one only.
  static func quoted(_ revision: Revision, isWeak: Bool = false) -> String? {
    guard revision.value.hasPrefix("e"), let end = revision.value.lastIndex(of: "@") else { return nil }
    return (isWeak ? "W/" : "") + "\"\(revision.value[..<end].dropFirst())\""
  }

  /// The revision of a file at a server without tags. The path is a part of it, because files can be alike.
  static func revision(_ path: StorePath, size: UInt64, seconds: Int64) -> Revision {
    Revision("t\(seconds)-\(size)-\(SHA256.hexadecimal(of: path.bytes).prefix(12))")
  }
}

extension String {
  /// Without white space of XML at both ends.
  var trimmed: String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || 0x09...0x0D ~= byte }
    let bytes = Array(utf8)
    guard let start = bytes.firstIndex(where: { !isSpace($0) }), let end = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[start...end], as: UTF8.self)
  }
}
