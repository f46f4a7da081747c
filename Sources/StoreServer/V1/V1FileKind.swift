/// What a file's name tells about its content.
struct V1FileKind: Sendable, Equatable {
  /// The largest file that a thumbnail is made of.
  static let largestPicture: UInt64 = 20 << 20
  /// The media type.
  let type: String
  /// The name of an icon, as the official service has them.
  let icon: String

  private static let known: [String: (type: String, icon: String)] = [
    "txt": ("text/plain", "page_white_text"), "md": ("text/plain", "page_white_text"),
    "html": ("text/html", "page_white_code"), "htm": ("text/html", "page_white_code"),
    "css": ("text/css", "page_white_code"), "json": ("application/json", "page_white_code"),
    "xml": ("application/xml", "page_white_code"), "csv": ("text/csv", "page_white_excel"),
    "jpg": ("image/jpeg", "page_white_picture"), "jpeg": ("image/jpeg", "page_white_picture"),
    "png": ("image/png", "page_white_picture"), "gif": ("image/gif", "page_white_picture"),
    "webp": ("image/webp", "page_white_picture"), "tif": ("image/tiff", "page_white_picture"),
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

  /// Whether the server can make a thumbnail of it, as far as the name tells.
  var isPicture: Bool { ["image/jpeg", "image/png", "image/webp"].contains(type) }

  /// A size for people: `15 bytes`, `225.4KB`.
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
