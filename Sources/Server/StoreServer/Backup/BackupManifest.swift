import Basics
import FileStores
import JSON

/// The content of one backup: the file `manifest.json`, which is written last, and the list of files that it names.
struct BackupManifest: Sendable, Equatable {
  static let name = "manifest.json"
  private static let format: Int64 = 1

  /// A file of the backup besides the contents, with its checksum.
  struct Part: Sendable, Equatable {
    let name: String
    /// SHA-256, hexadecimal.
    let sha256: String
  }

  /// Tells this backup from every other one.
  let id: String
  let club: String
  /// Seconds since 1970, when the backup began.
  let made: Int64
  let generation: Int64
  let members: Part
  let index: Part
  let list: Part
  /// The key that the server has made itself; nil without one.
  var key: Part?

  var parts: [Part] { [members, index, list] + (key.map { [$0] } ?? []) }

  var text: String {
    func json(_ part: Part) -> JSON { .members(["name": .string(part.name), "sha256": .string(part.sha256)]) }
    return JSON.members([
      "format": .integer(BackupManifest.format), "id": .string(id), "club": .string(club), "made": .integer(made),
      "generation": .integer(generation), "members": json(members), "index": json(index), "files": json(list),
      "key": key.map(json),
    ]).encoded + "\n"
  }

}

extension BackupManifest {
  /// nil for anything but a manifest of this format.
  init?(_ bytes: [UInt8]) {
    func part(_ json: JSON?) -> Part? {
      guard case .string(let name)? = json?["name"], case .string(let sum)? = json?["sha256"], !name.contains("/")
      else {
        return nil
      }
      return Part(name: name, sha256: sum)
    }
    // Anything else is nil; the caller reports the damage.
    guard let json = try? JSONReader.read(bytes), json["format"] == .integer(BackupManifest.format),
      case .string(let id)? = json["id"], case .string(let club)? = json["club"],
      case .integer(let made)? = json["made"], case .integer(let generation)? = json["generation"],
      let members = part(json["members"]), let index = part(json["index"]), let list = part(json["files"]),
      json["key"] == nil || part(json["key"]) != nil
    else { return nil }
    self.init(
      id: id, club: club, made: made, generation: generation, members: members, index: index, list: list,
      key: part(json["key"]))
  }
}

/// One line of a backup's list.
enum BackupLine: Sendable, Equatable {
  case file(StorePath, ContentHash, size: UInt64, modified: Int64)
  case folder(StorePath)
  /// An old version's content.
  case version(ContentHash, size: UInt64)

  /// For people.
  var name: String {
    switch self {
    case .file(let path, _, _, _), .folder(let path): path.description
    case .version(let hash, _): "an old version, \(hash.hex)"
    }
  }

  /// Names may have any bytes, so paths are percent-encoded.
  var text: String {
    switch self {
    case .file(let path, let hash, let size, let modified):
      "file \(hash.hex) \(size) \(modified) \(BackupLine.encoded(path))\n"
    case .folder(let path): "folder \(BackupLine.encoded(path))\n"
    case .version(let hash, let size): "version \(hash.hex) \(size)\n"
    }
  }

  init?(_ line: Substring) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    switch (words.first, words.count) {
    case ("file", 5):
      guard let hash = ContentHash(hex: String(words[1])), let size = UInt64(words[2]), let modified = Int64(words[3]),
        let path = BackupLine.path(words[4])
      else { return nil }
      self = .file(path, hash, size: size, modified: modified)
    case ("folder", 2):
      guard let path = BackupLine.path(words[1]) else { return nil }
      self = .folder(path)
    case ("version", 3):
      guard let hash = ContentHash(hex: String(words[1])), let size = UInt64(words[2]) else { return nil }
      self = .version(hash, size: size)
    default: return nil
    }
  }

  var hash: ContentHash? {
    switch self {
    case .file(_, let hash, _, _), .version(let hash, _): hash
    case .folder: nil
    }
  }

  /// nil for a version.
  var path: StorePath? {
    switch self {
    case .file(let path, _, _, _), .folder(let path): path
    case .version: nil
    }
  }

  private static func encoded(_ path: StorePath) -> String {
    path.bytes.map { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        String(Unicode.Scalar(byte))
      default: PercentEncoding.escape(byte)
      }
    }.joined()
  }

  /// nil for a path that would leave the folder, or for byteclub's own names.
  private static func path(_ text: Substring) -> StorePath? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "%") {
        guard let value = PercentEncoding.escaped(rest.dropFirst()) else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
        rest = rest.dropFirst()
      }
    }
    guard bytes.first != UInt8(ascii: "/"), let path = try? StorePath(bytes) else { return nil }
    return path.isRoot || path.isReserved ? nil : path
  }
}
