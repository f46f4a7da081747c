import FileStores
import Synchronization

/// The unfinished file of a download: `.NAME.byteclub-part-XXXXXXXX` in the folder that it goes to, which only its owner
/// can read. All file work blocks on the pool's threads only; calls come one at a time, and none but `add` and `settle`
/// between an `add` and the next `settle`.
final class DownloadPart: Sendable {
  let name: [UInt8]
  private let folder: String
  private let goal: [UInt8]
  private let pool: BlockingPool
  private let flushedBytes: UInt64
  private let probe: DiskProbe?
  private let disk = Mutex<PartDisk?>(nil)
  private let lane: ChunkLane<LocalFileFault>
  private let flushed = Atomic<UInt64>(0)

  /// The part of a download of `goal` in `folder`, under the name that the journal has for it. Nothing is done yet.
  init(folder: String, goal: [UInt8], name: [UInt8], pool: BlockingPool, flushedBytes: Int, probe: DiskProbe?) {
    (self.folder, self.goal, self.name) = (folder.isEmpty ? "." : folder, goal, name)
    (self.pool, self.flushedBytes, self.probe) = (pool, UInt64(flushedBytes), probe)
    lane = ChunkLane(pool: pool)
  }

  /// A name for a part.
  static func name(for goal: [UInt8], random: UInt64) -> [UInt8] {
    let digits = Array(String(UInt32(truncatingIfNeeded: random), radix: 16).utf8)
    return PartDisk.prefix(of: goal) + [UInt8](repeating: UInt8(ascii: "0"), count: 8 - digits.count) + digits
  }

  /// Opens it, with its first `offset` bytes and no more; with `most`, with all bytes that it has, up to so many.
  /// - Parameter claimed: names of parts that others still need; leftovers of this file's name that are not among them go.
  /// - Returns: how many bytes it has: 0 when those were fewer than `offset`.
  func open(at offset: UInt64, most: UInt64?, claimed: Set<[UInt8]>) async throws(StoreError) -> UInt64 {
    let (folder, name, goal, probe) = (folder, name, goal, probe)
    return try await run("byteclub could not write to the folder \"\(folder)\"") {
      [self] (disk) throws(LocalFileFault) in
      let opened = try PartDisk(folder: folder, name: name, probe: probe)
      if offset == 0 { opened.removeLeftovers(of: goal, but: claimed) }
      let start = try opened.keep(offset, most: most)
      disk = opened
      flushed.store(start, ordering: .relaxed)
      return start
    }
  }

  /// Adds bytes. They are written, and flushed now and then, while more comes; what fails is thrown by a later call.
  func add(_ bytes: ByteChunk) async throws(StoreError) {
    do throws(LocalFileFault) {
      try await lane.add(bytes) { [self] (bytes) throws(LocalFileFault) in try write(bytes) }
    } catch {
      throw error.storeError(failure)
    }
  }

  /// Returns when all that was added is written.
  func settle() async throws(StoreError) {
    do throws(LocalFileFault) { try await lane.finish() } catch { throw error.storeError(failure) }
  }

  /// How many bytes are on the disk for certain, as far as that was seen to.
  var durable: UInt64 { flushed.load(ordering: .relaxed) }

  private func write(_ bytes: ByteChunk) throws(LocalFileFault) {
    try disk.withLock { (disk) throws(LocalFileFault) in
      guard let disk else { throw LocalFileFault.notOpen }
      try disk.write(bytes)
      guard disk.count - durable >= flushedBytes else { return }
      try disk.flush()
      flushed.store(disk.count, ordering: .relaxed)
    }
  }

  /// Returns how many bytes are on the disk for certain.
  func flush() async throws(StoreError) -> UInt64 {
    try await run(failure) { (disk) throws(LocalFileFault) in
      try disk?.flush()
      return disk?.count ?? 0
    }
  }

  /// The size and hash of all that was written. Asked once.
  func sum() async throws(StoreError) -> (UInt64, ContentHash) {
    try await run(failure) { (disk) throws(LocalFileFault) in
      guard let disk else { throw LocalFileFault.notOpen }
      return (disk.count, disk.hash())
    }
  }

  /// Makes the bytes, and who may read them, last.
  func seal() async throws(StoreError) {
    try await run(failure) { (disk) throws(LocalFileFault) in try disk?.seal() }
  }

  /// Gives the file a name, lastingly, without replacing anything. Also true when it had that name already.
  /// - Returns: false when something else has it.
  func publish(as name: [UInt8]) async throws(StoreError) -> Bool {
    try await run(failure) { (disk) throws(LocalFileFault) in
      guard let disk else { throw LocalFileFault.notOpen }
      return try disk.publish(as: name)
    }
  }

  /// Removes it. Nothing happens when it is not there.
  func remove() async throws(StoreError) {
    let (folder, name, probe) = (folder, name, probe)
    try await run("byteclub could not remove the unfinished download in \"\(folder)\"") {
      (disk) throws(LocalFileFault) in
      disk = nil
      try PartDisk.remove(name, in: folder, probe: probe)
    }
  }

  /// What is in the folder under a name: its size and hash; nil when that is no file.
  func content(of name: [UInt8]) async throws(StoreError) -> (UInt64, ContentHash)? {
    let folder = folder
    return try await pool.blocking("byteclub could not read the folder \"\(folder)\"") { () throws(LocalFileFault) in
      try PartDisk.content(of: name, in: folder)
    }
  }

  /// True when the file has this name, too.
  func hasName(_ other: [UInt8]) async throws(StoreError) -> Bool {
    let (folder, name) = (folder, name)
    return try await pool.blocking("byteclub could not read the folder \"\(folder)\"") { () throws(LocalFileFault) in
      try PartDisk.isOne(name, other, in: folder)
    }
  }

  /// True when the part is there.
  func exists() async throws(StoreError) -> Bool {
    let (folder, name) = (folder, name)
    return try await pool.blocking("byteclub could not read the folder \"\(folder)\"") { () throws(LocalFileFault) in
      try PartDisk.exists(name, in: folder)
    }
  }

  private var failure: String {
    "byteclub could not write the file \"\(String(decoding: goal, as: UTF8.self))\" to \"\(folder)\""
  }

  private func run<Value: Sendable>(
    _ what: String, _ body: @escaping @Sendable (inout PartDisk?) throws(LocalFileFault) -> Value
  ) async throws(StoreError) -> Value {
    try await pool.blocking(what) { [self] () throws(LocalFileFault) in
      try disk.withLock { (disk) throws(LocalFileFault) in try body(&disk) }
    }
  }
}
