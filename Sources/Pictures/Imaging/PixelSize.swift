public struct PixelSize: Sendable, Equatable, Hashable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var turned: PixelSize { PixelSize(width: height, height: width) }

  /// The largest size of the same shape that fits into `box`, never larger than this one, no side under 1.
  public func fitted(into box: PixelSize) -> PixelSize {
    if width <= box.width, height <= box.height { return self }
    return scaled(toFit: box)
  }

  /// The largest size of the same shape with at most about `limit` pixels, never larger than this one.
  public func fitted(pixels limit: Int) -> PixelSize {
    if width * height <= limit { return self }
    let factor = (Double(max(1, limit)) / (Double(width) * Double(height))).squareRoot()
    return PixelSize(width: max(1, Int(Double(width) * factor)), height: max(1, Int(Double(height) * factor)))
  }

  /// The largest size of the same shape that fits into `box`, enlarged if necessary; no side under 1.
  public func scaled(toFit box: PixelSize) -> PixelSize {
    guard width > 0, height > 0, box.width > 0, box.height > 0 else { return PixelSize(width: 1, height: 1) }
    if width * box.height >= height * box.width {
      return PixelSize(width: box.width, height: max(1, (height * box.width + width / 2) / width))
    }
    return PixelSize(width: max(1, (width * box.height + height / 2) / height), height: box.height)
  }

  /// The smallest size of the same shape with both sides at least those of `box`, never larger than this one.
  func covering(_ box: PixelSize) -> PixelSize {
    if width <= box.width || height <= box.height { return self }
    if width * box.height >= height * box.width {
      return PixelSize(width: min(width, (width * box.height + height - 1) / height), height: max(1, box.height))
    }
    return PixelSize(width: max(1, box.width), height: min(height, (height * box.width + width - 1) / width))
  }
}

extension PixelSize: CustomStringConvertible {
  public var description: String { "\(width) x \(height)" }
}

public struct PixelRect: Sendable, Equatable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// In pixels and fractions of them.
public struct CropRect: Sendable, Equatable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double
}
