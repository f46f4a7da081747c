import FileStores
import Imaging
import Transfers

/// What a photo may be called.
enum PhotoName {
  private static let endings = ["jpg", "jpeg", "png", "webp"].map { Array($0.utf8) }
  private static let dot = UInt8(ascii: ".")

  /// True for names that end like a picture (in any case) and are not hidden.
  static func isPicture(_ name: some Collection<UInt8>) -> Bool {
    guard let ending = ending(Array(name)), name.first != dot else { return false }
    return endings.contains(ending)
  }

  /// The ending in lower case, without the dot; nil when there is none, or nothing before it.
  private static func ending(_ name: [UInt8]) -> [UInt8]? {
    guard let cut = name.lastIndex(of: dot), cut > 0 else { return nil }
    return name[(cut + 1)...].map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
  }

  /// True when a photo at `path` is shown: no part below the photos folder is hidden, and its name is a picture's.
  static func isShown(_ path: StorePath, below folder: StorePath) -> Bool {
    guard let rest = path.relative(to: folder), !rest.isEmpty, !path.isReserved else { return false }
    return isPicture(path.name) && rest.split(separator: UInt8(ascii: "/")).allSatisfy { $0.first != dot }
  }

  /// A name that will be shown, as near to `name` as can be: leading dots go (a hidden photo would not be seen),
  /// control characters become "_", an ending is added where there is none that fits a picture, and what is too long
  /// is cut before the ending.
  static func made(from name: String, format: PictureFormat, limits: StoreLimits) -> [UInt8] {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars.drop(while: { $0 == "." }) {
      scalars.append(scalar.isHostile || scalar == "/" ? "_" : scalar)
    }
    var bytes = Array(String(scalars).utf8)
    if bytes.isEmpty { bytes = Array("photo".utf8) }
    if !isPicture(bytes) {
      let ending =
        switch format {
        case .jpeg: ".jpg"
        case .png: ".png"
        case .webp: ".webp"
        }
      bytes += Array(ending.utf8)
    }
    let limit = limits.nameBytes ?? 255
    guard bytes.count > limit, let cut = bytes.lastIndex(of: dot) else { return bytes }
    let tail = bytes[cut...]
    var stem = String(decoding: bytes[..<cut], as: UTF8.self)
    while !stem.isEmpty, stem.utf8.count + tail.count > limit { stem.removeLast() }
    return Array(stem.utf8) + tail
  }

  /// The reason why a photo cannot be given this name; nil when it can.
  static func fault(in name: String) -> String? {
    if name.isEmpty { return "is empty" }
    if name.hasPrefix(".") { return "begins with a dot, and would be hidden" }
    if name.unicodeScalars.contains(where: \.isHostile) { return "contains a control character" }
    if PathText.hasSlash(name) { return "contains a slash" }
    if isPicture(Array(name.utf8)) { return nil }
    return name.contains(".") ? "has no ending of a picture (.jpg, .jpeg, .png, .webp)" : "has no ending"
  }
}
