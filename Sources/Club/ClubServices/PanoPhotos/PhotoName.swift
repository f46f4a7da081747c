internal import Basics
public import FileStores
import Imaging

enum PhotoName {
  private static let dot = UInt8(ascii: ".")

  /// True for names with a picture's extension (in any case) that are not hidden.
  static func isPicture(_ name: some Collection<UInt8>) -> Bool {
    name.first != dot && PictureFormat.named(Array(name)[...]) != nil
  }

  /// True if a photo at `path` is listed: no part below the photos folder is hidden, and the name is a picture's.
  static func isShown(_ path: StorePath, below folder: StorePath) -> Bool {
    guard let rest = path.relative(to: folder), !rest.isEmpty, !path.isReserved else { return false }
    return isPicture(path.name) && rest.split(separator: UInt8(ascii: "/")).allSatisfy { $0.first != dot }
  }

  /// The nearest listed name: without leading dots, with "_" for control characters, with an extension, and short
  /// enough.
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
        case .gif: ".gif"
        case .heic: ".heic"
        case .avif: ".avif"
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

  /// With the ending of a JPEG, in place of another picture's.
  static func ofJPEG(_ name: String) -> String {
    guard let format = PictureFormat.named(name) else { return name + ".jpg" }
    guard format != .jpeg, let dot = name.lastIndex(of: ".") else { return name }
    return name[..<dot] + ".jpg"
  }

  static func fault(in name: String) -> String? {
    if name.isEmpty { return "is empty" }
    if name.hasPrefix(".") { return "begins with a dot, and would be hidden" }
    if let fault = NameText.fault(in: name) { return fault }
    if PathText.hasSlash(name) { return "contains a slash" }
    if isPicture(Array(name.utf8)) { return nil }
    return name.contains(".") ? "has no ending of a picture (.jpg, .png, .webp, .gif, .heic, .avif)" : "has no ending"
  }
}

extension PhotosService {
  /// The path of a typed name, below the photos folder.
  /// - Throws: `badName`.
  public func path(named name: String) throws(StoreError) -> StorePath {
    guard !name.isEmpty else {
      throw StoreError(.badName, "A photo needs a name.", remedy: "See the names with: byteclub photo ls")
    }
    return try StorePath(club.photosFolder.bytes + [UInt8(ascii: "/")] + Array(name.utf8))
  }

  /// Looks for a photo of the typed name, then for the only one beside it whose name is like it.
  /// - Throws: `badName`; errors of the store.
  public func entry(named name: String, ignoresCase: Bool = true) async throws(StoreError) -> FileEntry? {
    let path = try path(named: name)
    if let entry = try await club.store.entryIfAny(path) { return entry.kind == .file ? entry : nil }
    let like = try await club.store.entry(
      like: String(decoding: path.name, as: UTF8.self), in: path.parent, ignoresCase: ignoresCase)
    // A note or a caption may be beside it.
    return like.flatMap { PhotoName.isPicture($0.path.name) ? $0 : nil }
  }

  public func name(of path: StorePath) -> [UInt8] { Array(path.relative(to: club.photosFolder) ?? path.bytes[...]) }
}
