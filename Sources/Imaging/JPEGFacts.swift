/// What only a JPEG has: its frame, for estimates and colour.
struct JPEGFacts: Sendable, Equatable {
  var components = 3
  /// Bytes that all coefficients take, when they are to be held at once.
  var coefficientBytes = 0
  /// Arithmetic coding, which may take less than a bit for a block; Huffman coding cannot.
  var isArithmetic = false
  /// True when Adobe's marker is there: its CMYK pictures are stored inverted.
  var hasAdobeMarker = false
  /// True when the whole picture's coefficients are held while decoding: progressive, or a scan a colour.
  var hasManyScans = false

  /// Blocks of 8 x 8 samples, of all components.
  var blocks: Int { coefficientBytes / 128 }
}
