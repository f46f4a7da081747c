internal import Synchronization

/// How many bytes of each upload the store is known to have.
final class UploadOffsets: Sendable {
  private let offsets = Mutex<[UploadSession: UInt64]>([:])

  subscript(session: UploadSession) -> UInt64? {
    get { offsets.withLock { $0[session] } }
    set { offsets.withLock { $0[session] = newValue } }
  }
}
