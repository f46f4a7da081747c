import CImaging

/// The bytes of a picture file, wherever they lie: a decoder asks for a piece at a time, so that a large file need not
/// be in memory. For one decoding at a time, on one thread.
public final class PictureInput {
  /// Copies the bytes from an offset on into a buffer and tells how many: fewer than fit only at the end of the file, or
  /// when they cannot be read. The picture then looks cut; whoever reads the file knows better.
  public typealias Read = (_ target: UnsafeMutableRawBufferPointer, _ offset: Int) -> Int

  /// Bytes of the whole file.
  public let count: Int
  private let read: Read
  /// Where all bytes are, when they are in memory.
  private let whole: UnsafePointer<UInt8>?

  /// Whether all bytes are in memory anyway.
  var isInMemory: Bool { whole != nil }

  /// A file of `count` bytes, of which `read` gives a part.
  public init(count: Int, read: @escaping Read) {
    (self.count, self.read, whole) = (count, read, nil)
  }

  /// Bytes in memory, which must stay there while this is used.
  init(_ bytes: UnsafeRawBufferPointer) {
    (count, whole) = (bytes.count, bytes.bindMemory(to: UInt8.self).baseAddress)
    read = { target, offset in
      guard offset < bytes.count else { return 0 }
      let part = bytes[offset..<min(bytes.count, offset + target.count)]
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
      return part.count
    }
  }

  /// Up to `length` bytes from the start of the file.
  func prefix(_ length: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: min(length, count)) { buffer, filled in
      filled = take(UnsafeMutableRawBufferPointer(buffer), 0)
    }
  }

  /// Hands `take` one piece of the file after the other, until it is false.
  public func forEachPiece(_ take: (UnsafeRawBufferPointer) -> Bool) {
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    var offset = 0
    while true {
      let got = piece.withUnsafeMutableBytes { self.take($0, offset) }
      guard got > 0, piece.withUnsafeBytes({ take(UnsafeRawBufferPointer(rebasing: $0[..<got])) }) else { return }
      offset += got
    }
  }

  /// What the C room reads from. This must outlive it.
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
