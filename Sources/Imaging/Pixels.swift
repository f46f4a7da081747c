/// A picture in memory: 8 bits each of red, green and blue, rows from the top, no gaps.
public struct Pixels: Sendable, Equatable {
  /// Pixels across and down; at least 1 each.
  public let size: PixelSize
  /// `3 * width * height` bytes.
  public private(set) var bytes: [UInt8]

  /// A picture of one colour (0xRRGGBB). Sides under 1 count as 1.
  public init(width: Int, height: Int, colour: UInt32 = 0) {
    size = PixelSize(width: max(1, width), height: max(1, height))
    let (red, green, blue) = (UInt8(colour >> 16 & 255), UInt8(colour >> 8 & 255), UInt8(colour & 255))
    let count = 3 * size.width * size.height
    bytes = Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      for at in stride(from: 0, to: count, by: 3) {
        buffer.initializeElement(at: at, to: red)
        buffer.initializeElement(at: at + 1, to: green)
        buffer.initializeElement(at: at + 2, to: blue)
      }
      initialized = count
    }
  }

  /// Wraps bytes; nil when their number does not match the size.
  public init?(width: Int, height: Int, bytes: [UInt8]) {
    guard width > 0, height > 0, bytes.count == 3 * width * height else { return nil }
    size = PixelSize(width: width, height: height)
    self.bytes = bytes
  }

  /// Lets `fill` write all bytes; they are zero before.
  init<E: Error>(size: PixelSize, fill: (UnsafeMutablePointer<UInt8>) throws(E) -> Void) throws(E) {
    self.size = size
    bytes = [UInt8](repeating: 0, count: 3 * size.width * size.height)
    try bytes.withUnsafeMutableBufferPointer { (buffer) throws(E) in
      if let base = buffer.baseAddress { try fill(base) }
    }
  }

  /// Pixels across.
  public var width: Int { size.width }
  /// Pixels down.
  public var height: Int { size.height }

  /// The colour (0xRRGGBB) at a place, which must lie within the picture.
  public subscript(x: Int, y: Int) -> UInt32 {
    get {
      let at = 3 * (y * width + x)
      return UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2])
    }
    set {
      let at = 3 * (y * width + x)
      bytes[at] = UInt8(newValue >> 16 & 255)
      bytes[at + 1] = UInt8(newValue >> 8 & 255)
      bytes[at + 2] = UInt8(newValue & 255)
    }
  }

  /// Copies `part` to a place; what lies outside is left out.
  public mutating func paste(_ part: Pixels, x: Int, y: Int) {
    let left = max(0, x)
    let right = min(width, x + part.width)
    guard left < right else { return }
    for row in max(0, y)..<max(max(0, y), min(height, y + part.height)) {
      let to = 3 * (row * width + left)
      let from = 3 * ((row - y) * part.width + left - x)
      bytes.replaceSubrange(to..<(to + 3 * (right - left)), with: part.bytes[from..<(from + 3 * (right - left))])
    }
  }

  func withBase<R, E: Error>(_ body: (UnsafePointer<UInt8>) throws(E) -> R) throws(E) -> R? {
    try bytes.withUnsafeBufferPointer { (buffer) throws(E) in
      if let base = buffer.baseAddress { return try body(base) }
      return nil
    }
  }
}
