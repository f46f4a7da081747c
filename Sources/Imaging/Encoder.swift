import CImaging

/// Encodes pictures to memory.
public enum Encoder {
  /// A baseline JPEG.
  /// - Parameters:
  ///   - quality: 1 to 100; others are taken as the nearest.
  ///   - isProgressive: several scans, smaller and slower.
  /// - Throws: `memory`, or `unsupported` when a side is above 65,535 pixels.
  public static func jpeg(_ pixels: Pixels, quality: Int, isProgressive: Bool = false) throws(ImageError) -> [UInt8] {
    try finish("JPEG") { encoded, length, message in
      pixels.withBase { base in
        ci_jpeg_encode(
          base, Int32(pixels.width), Int32(pixels.height), Int32(min(100, max(1, quality))), quality >= 90 ? 0 : 1,
          isProgressive ? 1 : 0, encoded, length, message)
      }
    }
  }

  /// An RGB PNG.
  /// - Parameter level: zlib's, 0 (fast) to 9 (small); others are taken as the nearest.
  /// - Throws: `memory`, or `unsupported` when a side is too long.
  public static func png(_ pixels: Pixels, level: Int = 6) throws(ImageError) -> [UInt8] {
    try finish("PNG") { encoded, length, message in
      pixels.withBase { base in
        ci_png_encode(
          base, Int32(pixels.width), Int32(pixels.height), Int32(min(9, max(0, level))), encoded, length, message)
      }
    }
  }

  /// A lossy WebP.
  /// - Parameter quality: 0 to 100; nil for lossless.
  /// - Throws: `memory`, or `unsupported` when a side is above 16,383 pixels.
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
