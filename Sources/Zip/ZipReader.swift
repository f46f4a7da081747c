/// Reads a ZIP archive from its beginning, while it comes: what came is `add`ed, then `next` is asked until it has no more.
///
/// Only the records before each file are read (PKWARE, APPNOTE.TXT 6.3.10, section 4.3.7), and those behind it where the
/// size is said there. Memory: what was added last, and at most 256 KiB that were unpacked. Used by one task at a time.
public struct ZipReader {
  private enum Place {
    case header
    /// In a stored file: so many bytes are left.
    case stored(left: UInt64)
    case deflated(Inflater)
    case descriptor
    case over
  }

  /// Bytes that are unpacked at once.
  private static let pieceBytes = 256 << 10

  private let sizeOfStored: ([UInt8]) -> UInt64?
  private var place = Place.header
  private var rest: ArraySlice<UInt8> = []
  /// Of the file that is being read.
  private var header: ZipLocalHeader?
  private var (packed, unpacked): (UInt64, UInt64) = (0, 0)

  /// A reader before the first byte. `sizeOfStored` is asked for the size, in bytes, of a stored file by its name, where
  /// the archive says it behind the file alone; nil when nobody knows.
  public init(sizeOfStored: @escaping ([UInt8]) -> UInt64? = { _ in nil }) { self.sizeOfStored = sizeOfStored }

  /// Whether all files were told. An archive that ends before is cut.
  public var isOver: Bool { if case .over = place { true } else { false } }

  /// More of the archive.
  public mutating func add(_ bytes: ArraySlice<UInt8>) {
    if isOver { return }
    rest = rest.isEmpty ? bytes : ArraySlice(Array(rest) + bytes)
  }

  /// The next part; nil when more must come first, and always after `over`.
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

  /// The file's bytes are through: what is said behind them is read, and all that is said is compared.
  private mutating func endContent() throws(ZipFault) -> ZipPart? {
    guard let header else { throw .broken }
    if header.hasDescriptor {
      place = .descriptor
      // Another record follows in any case, of 22 bytes at least, so this waits for nothing that does not come.
      guard rest.count >= ZipDescriptor.longest + 4 else { return nil }
      guard let length = ZipDescriptor.length(rest, packed: packed, unpacked: unpacked) else { throw .broken }
      rest = rest.dropFirst(length)
    }
    guard header.packedSize ?? packed == packed, header.unpackedSize ?? unpacked == unpacked else { throw .broken }
    place = .header
    return .end
  }
}
