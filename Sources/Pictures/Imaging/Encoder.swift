import CImaging

public enum Encoder {
  /// Baseline, unless progressive: several scans, smaller and slower. `quality` is clamped to 1 to 100.
  /// - Throws: `memory`, or `unsupported` if a side is above 65,535 pixels.
  public static func jpeg(_ pixels: Pixels, quality: Int, isProgressive: Bool = false) throws(ImageError) -> [UInt8] {
    try finish("JPEG") { encoded, length, message in
      pixels.withBase { base in
        ci_jpeg_encode(
          base, Int32(pixels.width), Int32(pixels.height), Int32(min(100, max(1, quality))), quality >= 90 ? 0 : 1,
          isProgressive ? 1 : 0, encoded, length, message)
      }
    }
  }

  /// `level` is zlib's, 0 (fast) to 9 (small), clamped.
  /// - Throws: `memory`, or `unsupported` if a side is too long.
  public static func png(_ pixels: Pixels, level: Int = 6) throws(ImageError) -> [UInt8] {
    try finish("PNG") { encoded, length, message in
      pixels.withBase { base in
        ci_png_encode(
          base, Int32(pixels.width), Int32(pixels.height), Int32(min(9, max(0, level))), encoded, length, message)
      }
    }
  }

  /// `quality` is 0 to 100 for lossy; nil for lossless.
  /// - Throws: `memory`, or `unsupported` if a side is above 16,383 pixels.
  public static func webP(_ pixels: Pixels, quality: Int?) throws(ImageError) -> [UInt8] {
    try finish("WebP") { encoded, length, message in
      pixels.withBase { base in
        ci_webp_encode(
          base, Int32(pixels.width), Int32(pixels.height), quality.map { Float(min(100, max(0, $0))) } ?? 101,
          encoded, length, message)
      }
    }
  }

  private static func finish(
    _ format: String,
    _ encode: (
      UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>, UnsafeMutablePointer<CChar>?
    ) -> Int32?
  ) throws(ImageError) -> [UInt8] {
    var encoded: UnsafeMutablePointer<UInt8>?
    var length = 0
    var message = ShimMessage()
    let status = message.fill { encode(&encoded, &length, $0) } ?? Int32(CI_FAILED)
    defer { ci_release(encoded) }
    guard status == Int32(CI_OK), let encoded else {
      if status == Int32(CI_NO_MEMORY) { throw .memory(length) }
      throw ImageError(.unsupported, "byteclub cannot write the picture as \(format): \(message.text).")
    }
    return Array(UnsafeBufferPointer(start: encoded, count: length))
  }
}

extension Encoder {
  /// Adds the known facts as Google's Photo Sphere XMP, in a segment of its own. `jpeg` has no such segment yet.
  public static func marked(_ jpeg: [UInt8], as facts: PanoramaFacts) -> [UInt8] {
    let body = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + XMPText.packet(facts)
    // JFIF requires its own segment to be the first (ITU-T T.871, section 10.1).
    var at = 2
    if jpeg.count > 6, jpeg[2] == 0xFF, jpeg[3] == 0xE0 { at = min(jpeg.count, 4 + (Int(jpeg[4]) << 8 | Int(jpeg[5]))) }
    let length = body.count + 2
    return jpeg.prefix(at) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + body + jpeg.dropFirst(at)
  }
}
