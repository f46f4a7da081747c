import FileStores
import Glibc

/// A system call on a file of this machine that failed.
struct LocalFileFault: Error {
  let code: Int32

  /// The last failure of the calling thread.
  static var last: LocalFileFault { LocalFileFault(code: errno) }

  /// The failure in words. `what` is a sentence's beginning, as "The file \"x\" could not be read".
  func storeError(_ what: String) -> StoreError {
    switch code {
    case ENOENT, ENOTDIR:
      StoreError(.notFound, "\(what): it does not exist.", remedy: "Check the spelling of the path.")
    case EACCES, EPERM: StoreError(.notPermitted, "\(what): permission denied.", remedy: "Check its permissions.")
    case EROFS: StoreError(.notPermitted, "\(what): the file system is read-only.", remedy: "Choose another folder.")
    case ENOSPC, EDQUOT: StoreError(.quota, "\(what): the disk is full.", remedy: "Free some space, then try again.")
    case EFBIG: StoreError(.tooLarge, "\(what): it is too large for this file system.")
    case ELOOP: StoreError(.badInput, "\(what): its path has too many links.")
    case ENAMETOOLONG: StoreError(.badName, "\(what): the name is too long.", remedy: "Choose a shorter name.")
    default: StoreError(.server, "\(what): \(Self.text(code)) (error \(code)).")
    }
  }

  private static func text(_ code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress else { return "it failed" }
      start.initialize(repeating: 0, count: buffer.count)
      // Thread-safe, unlike strerror.
      return strerror_r(code, start, buffer.count) == 0 ? String(cString: start) : "it failed"
    }
  }
}

extension BlockingPool {
  /// Runs calls that block; what fails is told as `what`, a sentence's beginning.
  func blocking<Value: Sendable>(
    _ what: String, _ body: @escaping @Sendable () throws(LocalFileFault) -> Value
  ) async throws(StoreError) -> Value {
    do throws(LocalFileFault) {
      return try await run(body)
    } catch {
      throw error.storeError(what)
    }
  }
}
