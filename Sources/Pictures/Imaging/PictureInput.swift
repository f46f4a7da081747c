import CImaging

/// A picture file in memory or elsewhere, read piece by piece, which keeps large files out of memory. Use an input for
/// one decoding at a time, on one thread.
public final class PictureInput {
  /// Fills a buffer from an offset and returns the number of bytes. Fewer than fit mean the end of the file or a read
  /// error; the picture then looks truncated, and only the file's reader knows the error.
  public typealias Read = (_ target: UnsafeMutableRawBufferPointer, _ offset: Int) -> Int

  /// In bytes.
  public let count: Int
  private let read: Read
  private let whole: UnsafePointer<UInt8>?

  var isInMemory: Bool { whole != nil }

  public init(count: Int, read: @escaping Read) {
    (self.count, self.read, whole) = (count, read, nil)
  }

  /// The bytes must outlive this input.
  init(_ bytes: UnsafeRawBufferPointer) {
    (count, whole) = (bytes.count, bytes.bindMemory(to: UInt8.self).baseAddress)
    read = { target, offset in
      guard offset < bytes.count else { return 0 }
      let part = bytes[offset..<min(bytes.count, offset + target.count)]
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
      return part.count
    }
  }

  func prefix(_ length: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: min(length, count)) { buffer, filled in
      filled = take(UnsafeMutableRawBufferPointer(buffer), 0)
    }
  }

  /// By its first bytes.
  package var format: PictureFormat? { prefix(16).withUnsafeBytes { PictureFormat.recognise($0) } }

  /// A part of the file; nil if it is not all there, or larger than a metadata segment's content can be.
  func bytes(_ range: Range<Int>) -> [UInt8]? {
    guard range.lowerBound >= 0, range.upperBound <= count, range.count <= Self.mostPartBytes else { return nil }
    let part = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      filled = take(UnsafeMutableRawBufferPointer(buffer), range.lowerBound)
    }
    return part.count == range.count ? part : nil
  }

  /// A part of the file as an input of its own. This input must outlive it.
  func part(_ range: Range<Int>) -> PictureInput {
    let range = range.clamped(to: 0..<count)
    return PictureInput(count: range.count) { [unowned self] target, offset in
      let room = target.prefix(max(0, range.count - offset))
      return room.isEmpty ? 0 : take(UnsafeMutableRawBufferPointer(rebasing: room), range.lowerBound + offset)
    }
  }

  private static let mostPartBytes = 16 << 20

  /// Ends when `take` returns false.
  public func forEachPiece(_ take: (UnsafeRawBufferPointer) -> Bool) {
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    var offset = 0
    while true {
      let got = piece.withUnsafeMutableBytes { self.take($0, offset) }
      guard got > 0, piece.withUnsafeBytes({ take(UnsafeRawBufferPointer(rebasing: $0[..<got])) }) else { return }
      offset += got
    }
  }

  /// For the C decoders. This input must outlive it.
  var source: ci_source {
    ci_source(whole: whole, context: Unmanaged.passUnretained(self).toOpaque()) { context, offset, target, count in
      guard let context, let target, let offset = Int(exactly: offset) else { return 0 }
      let input = Unmanaged<PictureInput>.fromOpaque(context).takeUnretainedValue()
      return input.take(UnsafeMutableRawBufferPointer(start: target, count: count), offset)
    }
  }

  private func take(_ target: UnsafeMutableRawBufferPointer, _ offset: Int) -> Int {
    min(max(0, read(target, offset)), target.count)
  }
}
