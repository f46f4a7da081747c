/// Writing many files that is tried again. Before any is sent again, the store is asked what is there: a file whose
/// content is there has been written.
struct RetryingBatches: BatchUploads {
  let base: any BatchUploads
  let store: RetryingStore

  var mostFiles: Int { base.mostFiles }
  var mostBytes: UInt64 { base.mostBytes }

  func put(_ files: [BatchFile]) async throws(StoreError) -> [Result<FileEntry, StoreError>] {
    let watched = files.map { Watched(source: WatchedSource($0.source), path: $0.path, mode: $0.mode) }
    // What a source throws is not the store's failure, however it looks.
    return try await store.retrying.each(watched, isFinal: { $0.source.failure != nil }) {
      (files, attempt) throws(StoreError) in
      var results = [Result<FileEntry, StoreError>?](repeating: nil, count: files.count)
      if attempt > 1 {
        for (index, file) in files.enumerated() {
          // One that cannot be looked at now waits for the next try, and holds up no other.
          do throws(StoreError) {
            results[index] = try await store.alreadyWritten(file.source, at: file.path).map { .success($0) }
          } catch {
            results[index] = .failure(error)
          }
        }
      }
      let open = files.indices.filter { results[$0] == nil }
      if !open.isEmpty {
        let answers = try await base.put(
          open.map { BatchFile(files[$0].source, at: files[$0].path, mode: files[$0].mode) })
        for (index, answer) in zip(open, answers) { results[index] = answer }
      }
      return results.map { $0 ?? .failure(.cancelled("The writing")) }
    }
  }

  private struct Watched: Sendable {
    let source: WatchedSource
    let path: StorePath
    let mode: WriteMode
  }
}
