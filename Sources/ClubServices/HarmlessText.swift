extension Unicode.Scalar {
  /// Controls (C0, C1, DEL), line and paragraph separators, and marks that turn the direction of text. byteclub gives
  /// no file a name with one of these.
  var isHostile: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
    default: false
    }
  }
}
