/// Writes EXIF data (TIFF) in either byte order.
struct HandmadeExif {
  struct Entry {
    var tag: Int
    /// 2 text, 3 short, 4 long, 5 rational.
    var kind: Int
    var count: Int
    var value: [UInt8]
  }

  var isLittle = true
  var orientation: Int?
  var make: String?
  var model: String?
  var taken: String?
  var hasPosition = false
  /// More entries of the EXIF and the GPS directory.
  var more: [Entry] = []
  var morePosition: [Entry] = []
  var thumbnail: [UInt8]?

  func number(_ value: Int, _ length: Int) -> [UInt8] {
    isLittle ? Array(big(value, length).reversed()) : big(value, length)
  }

  func short(_ tag: Int, _ value: Int) -> Entry { Entry(tag: tag, kind: 3, count: 1, value: number(value, 2)) }

  func long(_ tag: Int, _ value: Int) -> Entry { Entry(tag: tag, kind: 4, count: 1, value: number(value, 4)) }

  func rational(_ tag: Int, _ above: Int, _ below: Int) -> Entry {
    Entry(tag: tag, kind: 5, count: 1, value: number(above, 4) + number(below, 4))
  }

  func text(_ tag: Int, _ value: String) -> Entry {
    let bytes = Array(value.utf8) + [0]
    return Entry(tag: tag, kind: 2, count: bytes.count, value: bytes)
  }

  /// A directory that starts at `offset`, with its long values behind it.
  func directory(_ entries: [Entry], at offset: Int, next: Int = 0) -> [UInt8] {
    var head = number(entries.count, 2)
    var tail: [UInt8] = []
    let tailStart = offset + 2 + 12 * entries.count + 4
    for entry in entries {
      head += number(entry.tag, 2) + number(entry.kind, 2) + number(entry.count, 4)
      if entry.value.count <= 4 {
        head += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        head += number(tailStart + tail.count, 4)
        tail += entry.value
      }
    }
    return head + number(next, 4) + tail
  }

  func bytes() -> [UInt8] {
    var entries: [Entry] = []
    if let orientation { entries.append(short(0x0112, orientation)) }
    if let make { entries.append(text(0x010F, make)) }
    if let model { entries.append(text(0x0110, model)) }
    // The first directory's length does not depend on the offsets in it: made twice, the second time with them.
    func main(_ exif: Int, _ position: Int, _ next: Int) -> [UInt8] {
      var all = entries
      if taken != nil || !more.isEmpty { all.append(long(0x8769, exif)) }
      if hasPosition || !morePosition.isEmpty { all.append(long(0x8825, position)) }
      return directory(all, at: 8, next: next)
    }
    let exifStart = 8 + main(0, 0, 0).count
    let facts = (taken.map { [text(0x9003, $0)] } ?? []) + more
    let exif = facts.isEmpty ? [] : directory(facts, at: exifStart)
    let positionStart = exifStart + exif.count
    let place = hasPosition ? [Entry(tag: 2, kind: 5, count: 3, value: [UInt8](repeating: 1, count: 24))] : []
    let position = (place + morePosition).isEmpty ? [] : directory(place + morePosition, at: positionStart)
    let nextStart = positionStart + position.count
    var second: [UInt8] = []
    if let thumbnail {
      let start = nextStart + 2 + 3 * 12 + 4
      second = directory(
        [short(0x0103, 6), long(0x0201, start), long(0x0202, thumbnail.count)], at: nextStart)
      second += thumbnail
    }
    return (isLittle ? [0x49, 0x49, 0x2A, 0] : [0x4D, 0x4D, 0, 0x2A]) + number(8, 4)
      + main(exifStart, positionStart, thumbnail == nil ? 0 : nextStart) + exif + position + second
  }

  /// As a JPEG segment.
  func segment() -> [UInt8] { HandmadeJPEG.segment(0xE1, Array("Exif\0\0".utf8) + bytes()) }
}

/// An XMP packet as a JPEG segment.
func xmpSegment(_ packet: String) -> [UInt8] { xmpSegment(Array(packet.utf8)) }

func xmpSegment(_ packet: [UInt8]) -> [UInt8] {
  HandmadeJPEG.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
}

/// A text in UTF-16 without a byte order mark.
func utf16(_ text: String, isBig: Bool) -> [UInt8] {
  text.utf16.flatMap { unit in
    let bytes = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
    return isBig ? bytes : bytes.reversed()
  }
}

/// Puts whole segments behind a JPEG's SOI.
func insert(_ segments: [UInt8], into jpeg: [UInt8]) -> [UInt8] { jpeg[..<2] + segments + jpeg[2...] }
