@testable import Imaging

private let limits = PictureLimits(
  maxPixels: 4_000_000, maxMemoryBytes: 64 << 20, maxScans: 20, maxScanWork: 40_000_000)

/// A picture of any bytes ends with pixels or an error, and so do its header, its EXIF data and its XMP.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let seeds = seedFolder() { return writeSeeds(seeds) }
  _ = bytes.withUnsafeBytes { try? PictureHeader.read($0) }
  _ = try? Thumbnail.make(bytes, maxEdge: 64, limits: limits)
  _ = try? Decoder.decode(bytes, limits: limits)
  return 0
}

private func writeSeeds(_ folder: String) -> CInt {
  let size = PixelSize(width: 24, height: 16)
  let pixels = Pixels(size: size) { target in
    for place in 0..<(size.width * size.height * 3) { target[place] = UInt8(truncatingIfNeeded: place * 7) }
  }
  var status: CInt = 0
  if let jpeg = try? Encoder.jpeg(pixels, quality: 80) { status |= write(jpeg, to: folder + "/plain.jpg") }
  if let jpeg = try? Encoder.jpeg(pixels, quality: 80, isProgressive: true) {
    status |= write(jpeg, to: folder + "/progressive.jpg")
  }
  if let png = try? Encoder.png(pixels) {
    status |= write(png, to: folder + "/plain.png")
    if var file = try? PictureChunks(png: png) {
      file.chunks.insert(PictureChunks.Chunk(kind: "gAMA", body: [0, 1, 0x86, 0xA0]), at: 1)
      status |= write(file.pngBytes, to: folder + "/linear.png")
    }
  }
  if let webp = try? Encoder.webP(pixels, quality: 80) { status |= write(webp, to: folder + "/plain.webp") }
  // A red pixel, and one to see through.
  let gif = Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255, 0x21, 0xF9, 4, 1, 0, 0, 1, 0, 0x2C]
  status |= write(gif + [0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x44, 0x0A, 0, 0x3B], to: folder + "/plain.gif")
  return status
}
