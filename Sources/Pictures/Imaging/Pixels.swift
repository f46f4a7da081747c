/// 8 bits each of red, green and blue, rows from the top, no gaps.
public struct Pixels: Sendable, Equatable {
  /// At least 1 pixel in both directions.
  public let size: PixelSize
  /// `3 * width * height` bytes.
  public private(set) var bytes: [UInt8]

  /// Sides under 1 count as 1.
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

  /// nil unless the number of bytes matches the size.
  public init?(width: Int, height: Int, bytes: [UInt8]) {
    guard width > 0, height > 0, bytes.count == 3 * width * height else { return nil }
    size = PixelSize(width: width, height: height)
    self.bytes = bytes
  }

  /// `fill` overwrites zeroed bytes.
  init<E: Error>(size: PixelSize, fill: (UnsafeMutablePointer<UInt8>) throws(E) -> Void) throws(E) {
    self.size = size
    bytes = [UInt8](repeating: 0, count: 3 * size.width * size.height)
    try bytes.withUnsafeMutableBufferPointer { (buffer) throws(E) in
      if let base = buffer.baseAddress { try fill(base) }
    }
  }

  public var width: Int { size.width }
  public var height: Int { size.height }

  /// 0xRRGGBB, within the picture.
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

  /// A part within the picture.
  public func part(_ rect: PixelRect) -> Pixels {
    let left = max(0, min(rect.x, width - 1))
    let top = max(0, min(rect.y, height - 1))
    let size = PixelSize(
      width: max(1, min(rect.width, width - left)), height: max(1, min(rect.height, height - top)))
    return Pixels(size: size) { output in
      _ = withBase { base in
        for row in 0..<size.height {
          (output + 3 * size.width * row).update(from: base + 3 * ((top + row) * width + left), count: 3 * size.width)
        }
      }
    }
  }

  /// Cut at the edges.
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
