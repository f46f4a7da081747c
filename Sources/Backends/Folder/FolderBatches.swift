internal import FileStores

/// Many small files in few trips to the threads that may block. The disk is told of all bytes before the first file is
/// waited for, and each folder is waited for once.
struct FolderBatches: BatchUploads {
  let store: FolderStore

  var mostFiles: Int { 1000 }
  var mostBytes: UInt64 { 1 << 20 }

  /// Files that are open at the same time, and what they hold in memory, about.
  private static let atOnce = 64
  private static let bytesAtOnce = 8 << 20

  /// A file with all its bytes.
  struct Ready: Sendable {
    let index: Int
    let path: StorePath
    let mode: WriteMode
    let bytes: [UInt8]
    let hash: ContentHash
    let modified: Timestamp?
  }

  func put(_ files: [BatchFile]) async throws(StoreError) -> [Result<FileEntry, StoreError>] {
    try checkCount(of: files)
    var results = files.map { Result<FileEntry, StoreError>.failure(.cancelled("The writing", path: $0.path)) }
    var ready: [Ready] = []
    var held = 0
    for (index, file) in files.enumerated() {
      try store.checkCancelled("The writing", file.path)
      do throws(StoreError) {
        let next = try await read(file, index)
        held += next.bytes.count
        ready.append(next)
      } catch {
        results[index] = .failure(error.about(file.path))
      }
      guard ready.count == FolderBatches.atOnce || held >= FolderBatches.bytesAtOnce || index == files.count - 1 else {
        continue
      }
      let (disk, group) = (store.disk, ready)
      for (index, result) in await store.pool.run({ disk.put(group) }) { results[index] = result }
      (ready, held) = ([], 0)
    }
    return results
  }

  private func read(_ file: BatchFile, _ index: Int) async throws(StoreError) -> Ready {
    try store.disk.checkWritable(file.path)
    let (bytes, hash) = try await content(of: file)
    return Ready(
      index: index, path: file.path, mode: file.mode, bytes: bytes, hash: hash, modified: file.source.modified)
  }
}
