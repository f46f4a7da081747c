import Imaging
import Testing

@Suite struct ThumbnailFileTests {
  private let full = PixelSize(width: 8000, height: 2000)

  @Test func `a thumbnail comes back with its size and nearly its colours`() throws {
    let pixels = SamplePictures.gradient(128, 32)
    let bytes = try ThumbnailFile(pixels: pixels, fullSize: full).encode()
    #expect(bytes.count < pixels.bytes.count)
    let back = try #require(ThumbnailFile.decode(bytes))
    #expect(back.fullSize == full)
    #expect(difference(back.pixels, pixels) <= 32)
  }

  @Test func `a tiny one is kept as plain pixels, exactly`() throws {
    let file = ThumbnailFile(pixels: SamplePictures.quarters(6, 4), fullSize: full)
    #expect(try ThumbnailFile.decode(file.encode()) == file)
  }

  @Test(arguments: [6, 64])
  func `a file cut anywhere, longer, or with any byte changed is refused`(edge: Int) throws {
    let bytes = try ThumbnailFile(pixels: SamplePictures.gradient(edge, edge), fullSize: full).encode()
    for length in 0..<bytes.count { #expect(ThumbnailFile.decode(Array(bytes.prefix(length))) == nil) }
    #expect(ThumbnailFile.decode(bytes + [0]) == nil)
    for at in bytes.indices {
      var changed = bytes
      changed[at] ^= 0x10
      #expect(ThumbnailFile.decode(changed) == nil)
    }
  }

  @Test func `one that is too large is not written`() {
    let file = ThumbnailFile(pixels: Pixels(width: ThumbnailFile.maxSide + 1, height: 1), fullSize: full)
    #expect(kind { () throws(ImageError) in try file.encode() } == .tooLarge)
  }
}

extension ThumbnailFile {
  /// As the cache reads it, whose decoder is another process.
  fileprivate static func decode(_ bytes: [UInt8]) -> ThumbnailFile? {
    guard let stored = read(bytes) else { return nil }
    let pixels =
      stored.isCompressed
      ? try? Decoder.decode(stored.payload).pixels
      : Pixels(width: stored.size.width, height: stored.size.height, bytes: stored.payload)
    return pixels.map { ThumbnailFile(pixels: $0, fullSize: stored.fullSize) }
  }
}
