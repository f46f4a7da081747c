internal import Basics

/// Names for files that cannot have the name they were meant to have.
public enum NumberedName {
  /// `Note.md` becomes `Note (1).md` with the mark ` (1)`. An extension has at most eleven bytes after a stem, and no
  /// space: ".bashrc" and "notes.of a long evening" have none. A result of more than `limit` bytes loses whole UTF-8
  /// characters before the mark.
  public static func marked(_ name: some Collection<UInt8>, _ mark: String, limit: Int?) -> [UInt8] {
    let name = Array(name)
    let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? 0
    let isExtension = dot > 0 && name.count - dot <= 12 && !name[dot...].contains(UInt8(ascii: " "))
    let cut = isExtension ? dot : name.count
    let tail = Array(mark.utf8) + name[cut...]
    var stem = name[..<cut]
    if let limit {
      while !stem.isEmpty, stem.count + tail.count > limit {
        while let byte = stem.popLast(), byte & 0xC0 == 0x80 { continue }
      }
    }
    return Array(stem) + tail
  }

  /// `garage.jpg` and 2 make `garage (2).jpg`; `garage (2).jpg` and 3 make `garage (2) (3).jpg`.
  public static func numbered(_ name: some Collection<UInt8>, _ number: Int, limit: Int? = nil) -> [UInt8] {
    marked(name, " (\(number))", limit: limit)
  }

  public static func marked(_ name: String, _ mark: String) -> String {
    String(decoding: marked(name.utf8, mark, limit: nil), as: UTF8.self)
  }

  public static func marked(path: String, _ mark: String) -> String {
    let (folder, name) = PathText.cut(path)
    return folder + marked(String(name), mark)
  }

  /// The mark of a member's text that is kept beside a newer one: ` (Ann's version, 2031-01-09)`, with the local date.
  /// `number` starts at 1.
  public static func version(of member: String, _ time: Timestamp, number: Int) -> String {
    let scalars = member.unicodeScalars.map { $0.isHostile || $0 == "/" ? "-" : $0 }
    let name = String(String.UnicodeScalarView(scalars.prefix(40)))
    return " (\(name)'s version, \(localDate(time)))\(number > 1 ? " \(number)" : "")"
  }

  private static func localDate(_ time: Timestamp) -> String {
    String(CivilTime(secondsSince1970: Int(time.seconds) + time.localOffset).utc.prefix(10))
  }
}

extension Unicode.Scalar {
  /// True for controls (C0, C1, DEL), line and paragraph separators and direction marks, which no name gets.
  public var isHostile: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
    default: false
    }
  }
}
