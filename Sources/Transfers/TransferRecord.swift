public import FileStores

/// What the journal knows of a transfer. It never claims more than is durable: `offset` counts bytes that the store has
/// acknowledged or that were flushed to this machine's disk.
public struct TransferRecord: Sendable, Hashable {
  /// Where it stands, as far as another process has to know.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// Is to be carried out, or was being when its process ended.
    case wanted
    /// A member has stopped it for a while.
    case paused
    /// The store was asked to give the bytes their name, or the part file is being given its own; the answer is not known.
    case finishing
    /// A member wants it gone; what is left has to be removed.
    case cancelling
    /// It is over.
    case done
    /// It is over, by an error; what it had come to is kept.
    case failed
    /// It is over, because that was asked for.
    case cancelled
    /// It failed and was dismissed. No list shows it; what it had kept is still to be removed.
    case discarding
  }

  /// The journal's word for it.
  public let id: Transfer.ID
  /// What is wanted.
  public let order: TransferOrder
  /// When it was ordered.
  public let created: Timestamp
  /// Its place among the others: smaller first.
  public var position: Int64
  /// Where it stands.
  public var phase: Phase = .wanted
  /// Where an upload is to go: `order.path`, or the next name that seemed free.
  public var path: StorePath
  /// Uploads: the store's session, once there is one.
  public var session: UploadSession?
  /// When the session was begun (stores keep them for a week).
  public var sessionBegan: Timestamp?
  /// Durable bytes.
  public var offset: UInt64 = 0
  /// Bytes in all, once known.
  public var total: UInt64?
  /// Uploads: what tells whether the file of this machine is still the one whose bytes were sent (inode, size, times;
  /// `SourceFile` makes it). Downloads: nil.
  public var sourceStamp: String?
  /// Downloads: the revision whose bytes are in the part file.
  public var revision: Revision?
  /// What the whole file hashes to, once known.
  public var contentHash: ContentHash?
  /// Downloads: the name of the part file in the folder.
  public var part: [UInt8]?
  /// Downloads: the boot of this machine in which the part file was written last. Within one boot all bytes of the file
  /// are good, as the kernel has them; after another, `offset` of them are.
  public var partBoot: String?
  /// How often it was begun.
  public var attempts = 0
  /// How often it had to start from nothing.
  public var restarts = 0
  /// Not before this time.
  public var notBefore: Timestamp?
  /// The last error; its kind and its sentences.
  public var error: StoreError?
  /// Where the file is, once it is there.
  public var place: String?
  /// When it was over.
  public var ended: Timestamp?
  /// Whether a member has seen how it ended.
  public var isTold = false

  /// A new one.
  public init(id: Transfer.ID, order: TransferOrder, created: Timestamp, position: Int64) {
    self.id = id
    self.order = order
    self.created = created
    self.position = position
    path = order.path
    if case .upload(_, let size, let hash, _, _) = order.work {
      total = size
      contentHash = hash
    }
  }
}
