/// Reads an archive from its beginning as it arrives: call `add` with new bytes, then `next` until it returns nil.
/// It reads the records before each file (PKWARE, APPNOTE.TXT 6.3.10, section 4.3.7), and those after it if they hold
/// the size. It keeps the bytes added last, and at most 256 KiB of unpacked bytes. One task at a time uses it.
public struct ZipReader {
  private enum Place {
    case header
    case stored(left: UInt64)
    case deflated(Inflater)
    case descriptor
    case over
  }

  private static let pieceBytes = 256 << 10

  private let sizeOfStored: ([UInt8]) -> UInt64?
  private var place = Place.header
  private var rest: ArraySlice<UInt8> = []
  private var header: ZipLocalHeader?
  private var (packed, unpacked): (UInt64, UInt64) = (0, 0)

  /// `sizeOfStored` is called for a stored file whose size follows its content. It returns bytes; nil if unknown.
  public init(sizeOfStored: @escaping ([UInt8]) -> UInt64? = { _ in nil }) { self.sizeOfStored = sizeOfStored }

  /// An archive that ends earlier is truncated.
  public var isOver: Bool { if case .over = place { true } else { false } }

  public mutating func add(_ bytes: ArraySlice<UInt8>) {
    if isOver { return }
    rest = rest.isEmpty ? bytes : ArraySlice(Array(rest) + bytes)
  }

  /// nil if more bytes are needed, and always after `over`.
  public mutating func next() throws(ZipFault) -> ZipPart? {
    switch place {
    case .over: return nil
    case .header: return try begin()
    case .stored(let left):
      if left == 0 { return try endContent() }
      guard !rest.isEmpty else { return nil }
      let piece = rest.prefix(Int(clamping: left))
      rest = rest.dropFirst(piece.count)
      (packed, unpacked) = (packed + UInt64(piece.count), unpacked + UInt64(piece.count))
      place = .stored(left: left - UInt64(piece.count))
      return .bytes(piece)
    case .deflated(let stream):
      let piece = try stream.run(&rest, room: min(ZipReader.pieceBytes, max(4096, 4 * rest.count)))
      (packed, unpacked) = (stream.taken, stream.made)
      if stream.hasEnded { place = .descriptor }
      if !piece.isEmpty { return .bytes(piece[...]) }
      return stream.hasEnded ? try endContent() : nil
    case .descriptor: return try endContent()
    }
  }

  private mutating func begin() throws(ZipFault) -> ZipPart? {
    guard rest.count >= 4 else { return nil }
    guard rest.number(at: 0, of: UInt32.self) == ZipMark.localHeader else {
      let mark = rest.number(at: 0, of: UInt32.self)
      guard [ZipMark.centralHeader, ZipMark.zip64End, ZipMark.end].contains(mark) else { throw .broken }
      (place, rest) = (.over, [])
      return .over
    }
    guard let (header, length) = try ZipLocalHeader.read(rest) else { return nil }
    rest = rest.dropFirst(length)
    guard !header.isEncrypted else { throw .unsupported }
    (self.header, packed, unpacked) = (header, 0, 0)
    switch header.method {
    case ZipMark.deflated: place = .deflated(try Inflater())
    case ZipMark.stored:
      let isFolder = header.name.last == UInt8(ascii: "/")
      guard let size = header.packedSize ?? (isFolder ? 0 : sizeOfStored(header.name)) else { throw .unknownSize }
      place = .stored(left: size)
    default: throw .unsupported
    }
    return .begin(name: header.name)
  }

  private mutating func endContent() throws(ZipFault) -> ZipPart? {
    guard let header else { throw .broken }
    if header.hasDescriptor {
      place = .descriptor
      // At least 22 bytes of another record always follow, so this never waits in vain.
      guard rest.count >= ZipDescriptor.longest + 4 else { return nil }
      guard let length = ZipDescriptor.length(rest, packed: packed, unpacked: unpacked) else { throw .broken }
      rest = rest.dropFirst(length)
    }
    guard header.packedSize ?? packed == packed, header.unpackedSize ?? unpacked == unpacked else { throw .broken }
    place = .header
    return .end
  }
}
