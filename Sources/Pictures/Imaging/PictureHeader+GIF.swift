extension PictureHeader {
  /// Pieces of data of at most 255 bytes, and the blocks around them.
  private static let maxPieces = 4_000_000

  /// Walks over the blocks (GIF89a, section 12 and appendix A) to the first frame, and on to see if another one follows.
  static func readGIF(_ reader: ByteReader) throws(ImageError) -> PictureHeader {
    guard let width = reader.short(6), let height = reader.short(8), let flags = reader.byte(10) else {
      throw .endsEarly
    }
    let canvas = PixelSize(width: width, height: height)
    var header: PictureHeader?
    var isSeeThrough = false
    var at = 13 + colourBytes(flags)
    var pieces = 0
    while pieces < maxPieces, let kind = reader.byte(at) {
      if kind == 0x21 {
        let isControl = reader.byte(at + 1) == 0xF9 && reader.byte(at + 2) == 4
        if isControl, let flags = reader.byte(at + 3), header == nil { isSeeThrough = flags & 1 != 0 }
        at += 2
      } else if kind == 0x2C {
        if header != nil {
          header?.isMoving = true
          break
        }
        guard let flags = reader.byte(at + 9) else { throw .endsEarly }
        header = try frame(reader, at + 1, canvas, isSeeThrough: isSeeThrough)
        header?.isProgressive = flags & 0x40 != 0
        // Behind the colours is the length of the first code.
        at += 11 + colourBytes(flags)
      } else {
        if header == nil { throw .corrupt("it has no picture") }
        break
      }
      while pieces < maxPieces, let length = reader.byte(at), length > 0 {
        at += 1 + length
        pieces += 1
      }
      at += 1
      pieces += 1
    }
    guard let header else { throw .endsEarly }
    return header
  }

  /// A canvas that is smaller than its first frame is as large as that.
  private static func frame(
    _ reader: ByteReader, _ at: Int, _ canvas: PixelSize, isSeeThrough: Bool
  ) throws(ImageError) -> PictureHeader {
    guard let left = reader.short(at), let top = reader.short(at + 2), let width = reader.short(at + 4),
      let height = reader.short(at + 6)
    else { throw .endsEarly }
    guard width > 0, height > 0 else { throw .corrupt("its size is zero") }
    let size = PixelSize(width: max(canvas.width, left + width), height: max(canvas.height, top + height))
    var header = PictureHeader(format: .gif, storedSize: size)
    header.hasAlpha = isSeeThrough || width < size.width || height < size.height
    header.framePixels = width * height
    header.isSettled = true
    return header
  }

  /// Of the table of colours that the flags announce.
  private static func colourBytes(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }
}
