public import FileStores
import Synchronization

/// A folder of this machine as the goal of a download.
///
/// The bytes go to `.NAME.byteclub-part-XXXXXXXX` in that folder, which only its owner can read, and get their name
/// when they are whole and on the disk. When the name is taken, "NAME (2)" is tried, and so on: nothing is replaced.
/// Part files of the same name that a process left which is no more are removed. All file work blocks on the pool's
/// threads only; calls come one at a time.
public final class FileSink: TransferSink {
  private let directory: String
  private let name: [UInt8]
  private let pool: BlockingPool
  private let state = Mutex<PartFile?>(nil)

  /// A download to a file `name` in the folder at `directory`. Nothing is done before `open`.
  public init(directory: String, name: some Sequence<UInt8>, pool: BlockingPool) {
    self.directory = directory.isEmpty ? "." : directory
    self.name = Array(name)
    self.pool = pool
  }

  /// Makes the part file.
  public func open() async throws(StoreError) {
    let (directory, name) = (directory, name)
    try await run("The folder \"\(directory)\" could not be written to") { (state) throws(LocalFileFault) in
      state?.remove()
      state = nil
      state = try PartFile(directory: directory, name: name)
    }
  }

  /// Adds to the part file.
  public func write(_ bytes: ByteChunk) async throws(StoreError) {
    try await run(failure) { (state) throws(LocalFileFault) in try state?.write(bytes) }
  }

  /// Compares, and puts the bytes on the disk.
  public func verify(size: UInt64, contentHash: ContentHash?) async throws(StoreError) {
    let isRight = try await run(failure) { (state) throws(LocalFileFault) in
      guard let part = state, part.size == size else { return false }
      let hash = part.hash()
      guard contentHash == nil || contentHash == hash else { return false }
      try part.synchronize()
      return true
    }
    guard isRight else {
      throw StoreError(
        .corrupt, "What was received of \"\(shownName)\" is not what the store has.", remedy: "Download it again.")
    }
  }

  /// Gives the file its name, or the next one that is free, and returns its path.
  public func publish() async throws(StoreError) -> String {
    let name = try await run(failure) { (state) throws(LocalFileFault) in
      let name = try state?.publish()
      state = nil
      return name
    }
    guard let name else { throw StoreError(.badInput, "\"\(shownName)\" was not opened.") }
    let shown = String(decoding: name, as: UTF8.self)
    return directory.hasSuffix("/") ? directory + shown : "\(directory)/\(shown)"
  }

  /// Removes the part file.
  public func discard() async {
    await pool.run { [self] in
      state.withLock { state in
        state?.remove()
        state = nil
      }
    }
  }

  private var shownName: String { String(decoding: name, as: UTF8.self) }
  private var failure: String { "The file \"\(shownName)\" could not be written to \"\(directory)\"" }

  private func run<Value: Sendable>(
    _ what: String, _ body: @escaping @Sendable (inout PartFile?) throws(LocalFileFault) -> Value
  ) async throws(StoreError) -> Value {
    try await pool.blocking(what) { [self] () throws(LocalFileFault) in
      try state.withLock { (state) throws(LocalFileFault) in try body(&state) }
    }
  }
}
