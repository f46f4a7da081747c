public import FileStores
import Synchronization

/// A photo that was looked at and may be uploaded, and the name that is kept for it as long as the plan, or its
/// upload, lasts.
public struct UploadPlan: Sendable {
  /// Where it is on this machine.
  public let localPath: String
  /// Bytes.
  public let size: UInt64
  /// Where it will be.
  public let target: StorePath
  /// The name that it has on this machine, when it gets another one: because that is taken, or would not be shown.
  public let renamedFrom: String?
  /// Why the store could not be reached; nil when it answered.
  public var unanswered: StoreError? { reservation.unanswered.withLock { $0 } }
  /// Why it gets another name, in a sentence that begins with that name; nil when it keeps its own.
  public let renaming: String?
  /// The photo of the club that holds the same already; nil when none is known.
  public let existing: FileEntry?

  /// What was looked at.
  let contentHash: ContentHash
  let reservation: NameReservation
}
