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
  return status | write(heic(), to: folder + "/grid.heic")
}

/// A grid of two tiles, with EXIF data, turned and mirrored, in the boxes that a phone writes. Its tiles have no data: our
/// own code reads the boxes, libheif the tiles.
private func heic() -> [UInt8] {
  func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
  func box(_ kind: String, _ body: [UInt8]) -> [UInt8] { big(8 + body.count, 4) + Array(kind.utf8) + body }
  func full(_ kind: String, _ body: [UInt8]) -> [UInt8] { box(kind, [0, 0, 0, 0] + body) }
  let grid: [UInt8] = [0, 0, 0, 1, 0, 24, 0, 16]
  let items: [(kind: String, data: [UInt8])] = [
    ("grid", grid), ("hvc1", [1]), ("hvc1", [2]), ("Exif", big(0, 4) + Array("MM\0*".utf8)),
  ]
  let names = items.enumerated().flatMap { number, item in
    let head: [UInt8] = [2, 0, 0, item.kind == "hvc1" ? 1 : 0]
    return box("infe", head + big(number + 1, 2) + big(0, 2) + Array(item.kind.utf8) + [0])
  }
  let sizes = full("ispe", big(24, 4) + big(16, 4)) + full("ispe", big(12, 4) + big(16, 4))
  let properties = box("ipco", sizes + box("irot", [1]) + box("imir", [1]))
  let uses = full("ipma", big(3, 4) + [0, 1, 3, 1, 0x83, 0x84] + [0, 2, 1, 2] + [0, 3, 1, 2])
  let references = box("dimg", big(1, 2) + big(2, 2) + [0, 2, 0, 3]) + box("cdsc", big(4, 2) + big(1, 2) + [0, 1])
  func meta(at start: Int) -> [UInt8] {
    var (places, at): ([UInt8], Int) = ([0x44, 0] + big(items.count, 2), start)
    for (number, item) in items.enumerated() {
      places += big(number + 1, 2) + big(0, 2) + big(1, 2) + big(at, 4) + big(item.data.count, 4)
      at += item.data.count
    }
    let handler = full("hdlr", big(0, 4) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
    let list = full("pitm", big(1, 2)) + full("iinf", big(items.count, 2) + names) + full("iloc", places)
    return full("meta", handler + list + box("iprp", properties + uses) + full("iref", references))
  }
  let brand = box("ftyp", Array("heic".utf8) + big(0, 4) + Array("mif1heic".utf8))
  return brand + meta(at: brand.count + meta(at: 0).count + 8) + box("mdat", items.flatMap(\.data))
}
