/// Names as bytes.
public enum FileName {
  /// `garage.jpg` and 2 make `garage (2).jpg`. A name with a number keeps it: `garage (2).jpg` and 3 make
  /// `garage (2) (3).jpg`. A name that would be longer than `limit` bytes loses bytes before the number, whole UTF-8
  /// characters where it is UTF-8.
  public static func numbered(_ name: [UInt8], _ number: Int, limit: Int? = nil) -> [UInt8] {
    let dot = UInt8(ascii: ".")
    // The ending is short and behind something; ".bashrc" and "notes.of a long evening" have none.
    let cut = name.lastIndex(of: dot).flatMap { at in at > 0 && name.count - at <= 8 ? at : nil } ?? name.count
    let tail = Array(" (\(number))".utf8) + name[cut...]
    var stem = name[..<cut]
    if let limit {
      while !stem.isEmpty, stem.count + tail.count > limit {
        let last = stem.removeLast()
        // Continuation bytes go together with their first byte.
        guard last & 0xC0 == 0x80 else { continue }
        while let next = stem.last, next & 0xC0 == 0x80 { stem.removeLast() }
        if let first = stem.last, first & 0xC0 == 0xC0 { stem.removeLast() }
      }
    }
    return Array(stem) + tail
  }
}
