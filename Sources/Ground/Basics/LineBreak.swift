/// The line end of a text. Added text gets the same one.
public enum LineBreak: Sendable, Equatable {
  case lineFeed
  case carriageReturnAndLineFeed

  /// That of the text's first line; a line feed for a text of one line.
  public init(of text: some Collection<UInt8>) {
    var last: UInt8 = 0
    for byte in text {
      if byte == 0x0A { break }
      last = byte
    }
    self = last == 0x0D && text.contains(0x0A) ? .carriageReturnAndLineFeed : .lineFeed
  }

  public var bytes: [UInt8] { self == .lineFeed ? [0x0A] : [0x0D, 0x0A] }

  /// The bytes as they fit into a text with this line end. Carriage returns that are there stay.
  public func fitting(_ bytes: [UInt8]) -> [UInt8] {
    guard self == .carriageReturnAndLineFeed, bytes.contains(0x0A) else { return bytes }
    var fitted: [UInt8] = []
    for byte in bytes {
      if byte == 0x0A, fitted.last != 0x0D { fitted.append(0x0D) }
      fitted.append(byte)
    }
    return fitted
  }
}
