import Glibc

/// Counts the scans of a JPEG by its markers, without decoding.
enum ScanCounter {
  /// Stops counting above `limit`. Markers cannot occur within entropy-coded data (T.81, B.1.1.5); what is found
  /// inside other segments only makes the count larger.
  static func count(_ bytes: UnsafeRawBufferPointer, upTo limit: Int) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var scans = 0
    var at = 0
    while at + 1 < bytes.count, scans <= limit, let found = memchr(base + at, 0xFF, bytes.count - at - 1) {
      at = UnsafeRawPointer(found) - base
      if bytes[at + 1] == 0xDA { scans += 1 }
      at += 1
    }
    return scans
  }
}
