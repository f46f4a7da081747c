internal import CPlatform
internal import POSIX

/// Bytes that processes share through a descriptor: a file in memory without a name. It takes no memory of this process
/// beyond what is mapped.
extension OpenFile {
  /// An empty file in memory. Its size grows with writes until it is sealed.
  public static func inMemory() throws(SystemError) -> OpenFile { OpenFile(owning: try valid(cp_memory_file())) }

  /// A file in memory with these bytes, which nobody can change.
  public static func inMemory(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> OpenFile {
    let file = try inMemory()
    try file.write(bytes, at: 0)
    try file.sealContent()
    return file
  }

  /// A file in memory of zeros, with a size that nobody can change. Pages take memory once they are written.
  public static func inMemory(size: Int) throws(SystemError) -> OpenFile {
    let file = try inMemory()
    try valid(cp_set_size(file.descriptor, UInt64(max(0, size))))
    try valid(cp_memory_seal(file.descriptor, 0))
    return file
  }

  /// Nobody can change size or content of a file in memory any more.
  public func sealContent() throws(SystemError) { try OpenFile.valid(cp_memory_seal(descriptor, 1)) }

  /// Lets `body` read the first `count` bytes in place. Only for a sealed file in memory: reading beyond the end of any
  /// other file, which may shrink, ends the process. `body` gets nil if no address space is left.
  public func mapped<Value, Failure: Error>(
    _ count: Int, _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard count > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    guard let start = cp_map(descriptor, count) else { return try body(nil) }
    defer { cp_unmap(start, count) }
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  @discardableResult
  static func valid(_ result: Int32) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError(code: -result) }
    return result
  }
}

/// The first byte of a file in memory, set by one process and watched by another.
public final class SharedFlag {
  private static let pageBytes = 4096
  private let start: UnsafeRawPointer

  /// - Throws: `ENOMEM` if it cannot be mapped.
  public init(_ file: OpenFile) throws(SystemError) {
    guard let start = cp_map(file.descriptor, Self.pageBytes) else { throw SystemError(code: ENOMEM) }
    self.start = UnsafeRawPointer(start)
  }

  deinit { cp_unmap(start, Self.pageBytes) }

  public var isRaised: Bool { cp_shared_byte(start) != 0 }

  /// Needs no mapping.
  public static func raise(_ file: OpenFile) throws(SystemError) { try file.write([1], at: 0) }
}
