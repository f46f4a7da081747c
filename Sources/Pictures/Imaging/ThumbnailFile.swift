internal import Basics

/// A thumbnail as bytes for a cache on disk: 32 bytes of header, then a JPEG or plain RGB, whichever is smaller.
/// Numbers are little-endian. Decoding trusts nothing: a file that is truncated, changed, or of another version is nil.
///
///     0  magic "BCTN"      8  width, height (16 bits each)     16  payload's length (32 bits)
///     4  version (8 bits)  12 the picture's full width (32)    24  FNV-1a of all other bytes (64 bits)
///     5  payload: 0 RGB, 1 JPEG                                20  the picture's full height (32)
public struct ThumbnailFile: Sendable, Equatable {
  public let pixels: Pixels
  public let fullSize: PixelSize

  private static let magic = Array("BCTN".utf8)
  /// From 2 on, colours are those of sRGB.
  private static let version: UInt8 = 2
  private static let headerLength = 32
  public static let maxSide = 4096

  public init(pixels: Pixels, fullSize: PixelSize) {
    self.pixels = pixels
    self.fullSize = fullSize
  }

  /// - Throws: `tooLarge` if a side is above `maxSide`; `memory`.
  public func encode(quality: Int = 88) throws(ImageError) -> [UInt8] {
    guard pixels.width <= Self.maxSide, pixels.height <= Self.maxSide, fullSize.width > 0, fullSize.height > 0,
      fullSize.width <= Int(UInt32.max), fullSize.height <= Int(UInt32.max)
    else { throw ImageError(.tooLarge, "The thumbnail is larger than \(Self.maxSide) pixels.") }
    let compressed = try Encoder.jpeg(pixels, quality: quality)
    let isCompressed = compressed.count < pixels.bytes.count
    let payload = isCompressed ? compressed : pixels.bytes
    var bytes = Self.magic + [Self.version, isCompressed ? 1 : 0, 0, 0]
    bytes.append(number: pixels.width, 2)
    bytes.append(number: pixels.height, 2)
    bytes.append(number: fullSize.width, 4)
    bytes.append(number: payload.count, 4)
    bytes.append(number: fullSize.height, 4)
    let sum = Self.checksum(bytes, payload)
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: sum >> UInt64(shift))) }
    return bytes + payload
  }

  /// A file's content before its JPEG is decoded.
  public struct Stored: Sendable {
    public let size: PixelSize
    public let fullSize: PixelSize
    /// A JPEG of that size, or the pixels themselves.
    public let payload: [UInt8]
    public let isCompressed: Bool
  }

  public static func read(_ bytes: [UInt8]) -> Stored? {
    guard bytes.count > headerLength, bytes.starts(with: magic), bytes[4] == version, bytes[5] <= 1, bytes[6] == 0,
      bytes[7] == 0
    else { return nil }
    let size = PixelSize(width: number(bytes, 8, 2), height: number(bytes, 10, 2))
    let full = PixelSize(width: number(bytes, 12, 4), height: number(bytes, 20, 4))
    guard (1...maxSide).contains(size.width), (1...maxSide).contains(size.height), full.width > 0, full.height > 0,
      number(bytes, 16, 4) == bytes.count - headerLength
    else { return nil }
    let payload = Array(bytes[headerLength...])
    var sum: UInt64 = 0
    for at in (24..<32).reversed() { sum = sum << 8 | UInt64(bytes[at]) }
    guard checksum(bytes[..<24], payload) == sum else { return nil }
    let isCompressed = bytes[5] == 1
    if isCompressed {
      guard let header = try? PictureHeader.read(payload), header.format == .jpeg, header.storedSize == size else {
        return nil
      }
    } else {
      guard payload.count == 3 * size.width * size.height else { return nil }
    }
    return Stored(size: size, fullSize: full, payload: payload, isCompressed: isCompressed)
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ length: Int) -> Int {
    var value = 0
    for index in (0..<length).reversed() { value = value << 8 | Int(bytes[offset + index]) }
    return value
  }

  private static func checksum(_ header: some Sequence<UInt8>, _ payload: some Sequence<UInt8>) -> UInt64 {
    var hash = FNV1a()
    hash.add(header)
    hash.add(payload)
    return hash.value
  }
}

extension [UInt8] {
  fileprivate mutating func append(number: Int, _ length: Int) {
    for index in 0..<length { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }
}
