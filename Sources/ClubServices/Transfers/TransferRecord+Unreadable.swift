public import FileStores
public import Transfers

extension StoreError {
  /// What a member is told of a transfer that the journal does not know any more.
  public static var unreadableTransfer: StoreError {
    StoreError(
      .corrupt, "byteclub cannot read the record of this transfer.",
      remedy: "If the file is missing, begin the transfer again; then remove this one from the list.")
  }
}

extension TransferRecord {
  /// What stands for a row that is damaged, or that only a later version understands. Nothing of it is known but its
  /// word: it has failed, and leaves nothing behind when it is dismissed.
  static func unreadable(_ id: Transfer.ID, at position: Int64) -> TransferRecord {
    let order = TransferOrder(club: "", store: "", work: .download(folder: ""), path: .root, name: "unknown file")
    var record = TransferRecord(id: id, order: order, created: Timestamp(seconds: 0), position: position)
    record.phase = .failed
    record.error = .unreadableTransfer
    // Nothing about it is written down anew: a later version may understand the row.
    record.isTold = true
    return record
  }
}

extension TransferOrder {
  /// Whether it stands for one that cannot be read any more.
  public var isUnreadable: Bool { store.isEmpty }
}
