import Basics
import Database
import Imaging
import JSON

extension JSON {
  static func version1(_ node: ServerNode, isSandbox: Bool) -> JSON {
    let isFile = !node.isFolder
    let size = node.isDeleted || node.isFolder ? 0 : node.size
    let name = PathText.name(node.display)
    let kind = V1FileKind(name)
    var members: [JSONMember] = [
      JSONMember("size", .string(V1FileKind.sizeText(size))), JSONMember("bytes", .number(size)),
      JSONMember("path", .string(node.display.isEmpty ? "/" : node.display)),
      JSONMember("is_dir", .bool(node.isFolder)),
      JSONMember(
        "thumb_exists", .bool(isFile && !node.isDeleted && kind.isPicture && size <= V1FileKind.largestPicture)),
      JSONMember("icon", .string(node.isFolder ? "folder" : kind.icon)),
      JSONMember("root", .string(isSandbox ? "app_folder" : "dropbox")),
    ]
    if node.isDeleted { members.append(JSONMember("is_deleted", true)) }
    guard !node.display.isEmpty else { return .object(members) }
    let rev = isFile ? node.rev : node.sequence
    members += [JSONMember("rev", .string(Rev.text(rev))), JSONMember("revision", .integer(rev))]
    guard isFile else { return .object(members) }
    members += [
      JSONMember("modified", .string(V1Time.text(node.serverModified))),
      JSONMember("client_mtime", .string(V1Time.text(node.clientModified))),
      JSONMember("mime_type", .string(kind.type)),
    ]
    if let author = node.author, !node.isDeleted {
      let number = JSON.integer(RouteTable.v1UserNumber(author.id))
      members.append(JSONMember("modifier", .members(["uid": number, "display_name": .string(author.shownName)])))
    }
    return .object(members)
  }
}

struct V1FileKind: Sendable, Equatable {
  static let largestPicture: UInt64 = 20 << 20
  let type: String
  let icon: String

  private static let known: [String: (type: String, icon: String)] = [
    "txt": ("text/plain", "page_white_text"), "md": ("text/plain", "page_white_text"),
    "html": ("text/html", "page_white_code"), "htm": ("text/html", "page_white_code"),
    "css": ("text/css", "page_white_code"), "json": ("application/json", "page_white_code"),
    "xml": ("application/xml", "page_white_code"), "csv": ("text/csv", "page_white_excel"),
    "jpg": ("image/jpeg", "page_white_picture"), "jpeg": ("image/jpeg", "page_white_picture"),
    "jfif": ("image/jpeg", "page_white_picture"), "jpe": ("image/jpeg", "page_white_picture"),
    "png": ("image/png", "page_white_picture"), "gif": ("image/gif", "page_white_picture"),
    "webp": ("image/webp", "page_white_picture"), "heic": ("image/heic", "page_white_picture"),
    "heif": ("image/heif", "page_white_picture"), "hif": ("image/heif", "page_white_picture"),
    "heics": ("image/heic-sequence", "page_white_picture"), "heifs": ("image/heif-sequence", "page_white_picture"),
    "avifs": ("image/avif", "page_white_picture"), "avif": ("image/avif", "page_white_picture"),
    "tif": ("image/tiff", "page_white_picture"),
    "tiff": ("image/tiff", "page_white_picture"), "bmp": ("image/bmp", "page_white_picture"),
    "svg": ("image/svg+xml", "page_white_vector"), "mp3": ("audio/mpeg", "page_white_sound"),
    "ogg": ("audio/ogg", "page_white_sound"), "wav": ("audio/x-wav", "page_white_sound"),
    "mp4": ("video/mp4", "page_white_film"), "mov": ("video/quicktime", "page_white_film"),
    "avi": ("video/x-msvideo", "page_white_film"), "pdf": ("application/pdf", "page_white_acrobat"),
    "zip": ("application/zip", "page_white_compressed"), "gz": ("application/gzip", "page_white_compressed"),
    "doc": ("application/msword", "page_white_word"), "xls": ("application/vnd.ms-excel", "page_white_excel"),
  ]

  init(_ name: String) {
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    (type, icon) = V1FileKind.known[ending] ?? ("application/octet-stream", "page_white")
  }

  /// The pictures that byteclub can show.
  static let pictureTypes = PictureFormat.endings.reduce(into: [String]()) { types, ending in
    if let type = known[ending.key]?.type, !types.contains(type) { types.append(type) }
  }

  var isPicture: Bool { V1FileKind.pictureTypes.contains(type) }

  /// `15 bytes`, `225.4KB`.
  static func sizeText(_ bytes: UInt64) -> String {
    guard bytes >= 1024 else { return "\(bytes) bytes" }
    var tenths = bytes * 10 / 1024
    var unit = 0
    while tenths >= 10_240, unit < 3 {
      tenths /= 1024
      unit += 1
    }
    return "\(tenths / 10).\(tenths % 10)\(["KB", "MB", "GB", "TB"][unit])"
  }
}

/// `Sat, 10 Aug 2013 23:21:03 +0000`, always 31 characters.
enum V1Time {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  /// Takes seconds since 1970. The zone `GMT` gives the form of HTTP headers.
  static func text(_ seconds: Int64, zone: StaticString = "+0000") -> String {
    let parts = WireTime.parts(seconds)
    var text: [UInt8] = []
    text.reserveCapacity(31)
    text += days[parts.date.weekday].utf8
    text += ", ".utf8
    WireTime.append(parts.date.day, 2, " ", to: &text)
    text += months[parts.date.month - 1].utf8
    text.append(UInt8(ascii: " "))
    WireTime.append(parts.date.year, 4, " ", to: &text)
    WireTime.append(parts.hour, 2, ":", to: &text)
    WireTime.append(parts.minute, 2, ":", to: &text)
    WireTime.append(parts.second, 2, " ", to: &text)
    return String(decoding: text, as: UTF8.self) + "\(zone)"
  }
}
