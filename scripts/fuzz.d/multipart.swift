import FileStores
import Synchronization

// The form's reader is compiled without the server: these stand in for the parts of it that it uses.
enum Route { static let formBytes = 64 << 10 }

struct V1Failure: Error {
  init(_ status: Int, _ reason: String) {}
  static func malformed(_ reason: String) -> V1Failure { V1Failure(400, reason) }
}

/// The body, in pieces.
actor RequestBytes {
  private var rest: ArraySlice<UInt8>
  private let piece: Int

  init(_ bytes: [UInt8], piece: Int) { (rest, self.piece) = (bytes[...], piece) }

  func next(about count: Int = 1000) async throws(StoreError) -> ByteChunk? {
    let chunk = rest.prefix(min(count, piece))
    rest = rest.dropFirst(chunk.count)
    return chunk.isEmpty ? nil : chunk
  }
}

/// Runs the jobs of a task on the thread that waits for it: another thread would cost a hundred times the reading.
final class OneThread: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs jobs until none is left.
  func run() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

private let thread = OneThread()

/// A form of any bytes ends with its file or a failure, and a file is never longer than the form.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  if let seeds = seedFolder() { return writeSeeds(seeds) }
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let ended = Ended()
  Task(executorPreference: thread) {
    if let form = try? MultipartBody("multipart/form-data; boundary=x", RequestBytes(bytes, piece: Int(first) + 1)),
      (try? await form.open()) != nil
    {
      var size = 0
      while let chunk = try? await form.next() { size += chunk.count }
      if size > bytes.count { fatalError("The file is longer than its form.") }
    }
    ended.value.store(true, ordering: .relaxed)
  }
  thread.run()
  if !ended.value.load(ordering: .relaxed) { fatalError("The reading of a form does not end.") }
  return 0
}

private final class Ended: Sendable { let value = Atomic(false) }

private func writeSeeds(_ folder: String) -> CInt {
  let form = """
    --x\r\nContent-Disposition: form-data; name="overwrite"\r\n\r\ntrue\r
    --x\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\nContent-Type: text/plain\r\n\r\nhello\r
    --x--\r

    """
  return write(Array(form.utf8), to: folder + "/form")
}
