import Glibc

/// Counts the scans of a JPEG by its markers, without decoding.
enum ScanCounter {
  /// Stops counting above `limit`. Markers cannot occur within entropy-coded data (T.81, B.1.1.5); what is found
  /// inside other segments only makes the count larger.
  static func count(_ input: PictureInput, upTo limit: Int) -> Int {
    var scans = 0
    var endsInLead = false
    input.forEachPiece { piece in
      if endsInLead, piece[0] == 0xDA { scans += 1 }
      scans += count(piece)
      endsInLead = piece[piece.count - 1] == 0xFF
      return scans <= limit
    }
    return scans
  }

  private static func count(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var scans = 0
    var at = 0
    while at + 1 < bytes.count, let found = memchr(base + at, 0xFF, bytes.count - at - 1) {
      at = UnsafeRawPointer(found) - base
      if bytes[at + 1] == 0xDA { scans += 1 }
      at += 1
    }
    return scans
  }
}
