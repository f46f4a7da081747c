public import FileStores

/// A member's order for one file, with everything that another process needs to carry it out later.
public struct TransferOrder: Sendable, Hashable {
  public enum Work: Sendable, Hashable {
    /// A file of this machine, to `path` of the store.
    /// - Parameters:
    ///   - file: the absolute path.
    ///   - contentHash: of the content at the time of the order, if known. Other content is sent, too.
    ///   - name: the base of the name in the store; `number` is the number in `path` (`NumberedName.numbered`). If `path`
    ///     is taken, the next number is tried: `garage.jpg`, `garage (2).jpg`, …
    case upload(file: String, size: UInt64, contentHash: ContentHash?, name: [UInt8], number: Int)
    /// The file at `path` of the store, into a folder of this machine, under its own name or the next free one.
    case download(folder: String)
  }

  public let club: String
  /// Identifies the club's store at the time of the order, for `TransferStores`.
  public let store: String
  public let work: Work
  public let path: StorePath
  /// The name of the file, for people. Not filtered for a terminal.
  public let name: String
  public let renamedFrom: String?
  /// Uploads: the stamp (`FileSource.stampText`) of the checked content that has the order's hash; nil if unknown.
  public let sourceStamp: String?

  public init(
    club: String, store: String, work: Work, path: StorePath, name: String, renamedFrom: String? = nil,
    sourceStamp: String? = nil
  ) {
    (self.club, self.store, self.work, self.path) = (club, store, work, path)
    (self.name, self.renamedFrom, self.sourceStamp) = (name, renamedFrom, sourceStamp)
  }

  var contentHash: ContentHash? {
    if case .upload(_, _, let hash, _, _) = work { hash } else { nil }
  }

  var uploadBytes: UInt64? {
    if case .upload(_, let size, _, _, _) = work { size } else { nil }
  }

  public var direction: Transfer.Direction {
    switch work {
    case .upload: .upload
    case .download: .download
    }
  }

  package var local: String {
    switch work {
    case .upload(let file, _, _, _, _): file
    case .download(let folder): folder
    }
  }
}

/// The journal's record of a transfer. It never claims more than is durable: `offset` counts bytes that the store has
/// acknowledged or that were flushed to this machine's disk.
public struct TransferRecord: Sendable, Hashable {
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// Waits for its turn, or ran when its process ended.
    case wanted
    case paused
    /// The store was asked to finish, or the part file gets its name; the result is unknown.
    case finishing
    /// Cancelled by a member; its leftovers have to be removed.
    case cancelling
    case done
    case failed
    case cancelled
    /// Failed and dismissed. No list shows it; its bytes have to be removed.
    case discarding
  }

  public let id: Transfer.ID
  public let order: TransferOrder
  public let created: Timestamp
  /// The place in the queue: smaller first.
  public var position: Int64
  public var phase: Phase = .wanted
  /// The target path of an upload: `order.path`, or the next name that seemed free.
  public var path: StorePath
  /// Uploads: the store's session, its beginning, and the time until which the store keeps it; nil without an end. A
  /// beginning without a session means that the store was asked for one.
  public var session: UploadSession?
  public var sessionBegan: Timestamp?
  public var sessionEnds: Timestamp?
  public var offset: UInt64 = 0
  public var total: UInt64?
  /// The time of the upload's source or of the stored file; at the end, that of the stored file.
  public var modified: Timestamp?
  /// Uploads: the stamp of the sent content (inode, size, times).
  public var sourceStamp: String?
  /// Downloads: the revision of the bytes in the part file.
  public var revision: Revision?
  public var contentHash: ContentHash?
  /// Downloads: the name of the part file in the folder.
  public var part: [UInt8]?
  /// Downloads: the boot of this machine that last wrote the part file. Within that boot all bytes of the file are
  /// good, because the kernel has them; after another boot only `offset` bytes are.
  public var partBoot: String?
  public var attempts = 0
  public var restarts = 0
  public var notBefore: Timestamp?
  public var error: StoreError?
  /// The file's chosen path on this machine.
  public var place: String?
  public var ended: Timestamp?
  public var isAcknowledged = false

  public init(id: Transfer.ID, order: TransferOrder, created: Timestamp, position: Int64) {
    (self.id, self.order, self.created, self.position) = (id, order, created, position)
    (path, total, contentHash) = (order.path, order.uploadBytes, order.contentHash)
  }

  /// True if the store has all bytes of an upload, and may have been asked to finish it.
  var isWhole: Bool { session != nil && contentHash != nil && total != nil && offset == total }

  var hasLeftovers: Bool {
    switch order.direction {
    case .upload: session != nil || sessionBegan != nil || (attempts > 0 && phase == .cancelling)
    case .download: part != nil
    }
  }

  mutating func startOver() {
    forgetProgress()
    restarts += 1
  }

  private mutating func forgetProgress() {
    (session, sessionBegan, sessionEnds, sourceStamp) = (nil, nil, nil, nil)
    (revision, place, partBoot) = (nil, nil, nil)
    (offset, contentHash) = (0, order.contentHash)
  }

  /// Keeps the source's hash. Content that differs from the order is sent, too, but counts as a restart.
  mutating func note(_ hash: ContentHash) {
    if let ordered = order.contentHash, ordered != hash, contentHash == ordered, restarts == 0 { restarts = 1 }
    contentHash = hash
  }

  mutating func enter(
    _ state: TransferMachine.State, from before: TransferMachine.State, by event: TransferMachine.Event
  ) {
    phase = state.phase
    guard state == .queued else { return }
    notBefore = nil
    guard event == .retry else { return }
    if before == .cancelled {
      forgetProgress()
      (part, error) = (nil, nil)
    }
    (ended, isAcknowledged) = (nil, false)
  }

  /// `rest` is the reason why some leftovers remain.
  mutating func cancelled(leaving rest: StoreError?) {
    let sentences = ["The \(order.direction.rawValue) of \"\(order.name)\" was cancelled.", rest?.message]
    error = StoreError(
      .cancelled, sentences.compactMap(\.self).joined(separator: " "), remedy: rest?.remedy ?? "", path: path)
    offset = 0
  }

  /// The stored file at the end of the transfer, whose store may know no times; nil for a row that does not have all of
  /// it.
  private var stored: FileEntry? {
    guard let total, modified != nil || revision != nil else { return nil }
    return FileEntry(
      path: path, kind: .file, size: total, modified: modified, revision: revision, contentHash: contentHash)
  }

  func shown(as state: TransferState) -> Transfer {
    var transfer = Transfer(id: id, direction: order.direction, name: order.name, path: path)
    (transfer.club, transfer.store) = (order.club, order.store)
    (transfer.renamedFrom, transfer.local) = (order.renamedFrom, order.local)
    (transfer.state, transfer.sent, transfer.total) = (state, offset, total)
    transfer.kept = offset
    (transfer.attempts, transfer.restarts, transfer.error) = (attempts, restarts, error)
    transfer.keptUntil = sessionEnds
    transfer.isAcknowledged = isAcknowledged
    if state == .done { (transfer.place, transfer.entry, transfer.contentHash) = (place, stored, contentHash) }
    return transfer
  }
}
