import ClubServices
import Database
import FileStores
import POSIX
import Transfers

/// Many files through the engine of transfers, as the app has it, with a journal in a file or in memory.
struct TransferProbe {
  private struct OneStore: TransferStores {
    let store: any FileStore
    func store(for order: TransferOrder) async throws(StoreError) -> any FileStore { store }
  }

  private let engine: TransferEngine

  /// `journal` is a file, or the word "memory".
  init(store: any FileStore, journal: String) throws(StoreError) {
    let pool = NetworkProbe.pool
    let kept: any TransferJournal =
      journal == "memory" ? MemoryJournal() : OutboxTransferJournal(try OutboxDatabase(path: journal), pool: pool)
    let settings = TransferSettings(concurrent: NetworkProbe.together, perStore: NetworkProbe.together)
    engine = TransferEngine(
      journal: kept, stores: OneStore(store: store), settings: settings, pool: pool
    ) {
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      return Timestamp(seconds: Int64(now.tv_sec), nanoseconds: Int64(now.tv_nsec))
    }
  }

  /// Uploads files of a directory.
  func send(_ files: [FileEntry], of directory: String, to folder: StorePath) async throws(StoreError) {
    var orders: [TransferOrder] = []
    for file in files {
      let name = Array(file.path.name)
      let text = String(decoding: name, as: UTF8.self)
      let work = TransferOrder.Work.upload(
        file: "\(directory)/\(text)", size: file.size ?? 0, contentHash: nil, name: name, number: 1)
      orders.append(order(work, try folder.appending(name), text))
    }
    try await carryOut(orders)
  }

  /// Downloads files into a directory.
  func fetch(_ paths: [StorePath], into directory: String) async throws(StoreError) {
    try await carryOut(
      paths.map { order(.download(folder: directory), $0, String(decoding: $0.name, as: UTF8.self)) })
  }

  private func order(_ work: TransferOrder.Work, _ path: StorePath, _ name: String) -> TransferOrder {
    TransferOrder(club: "probe", store: "probe", work: work, path: path, name: name)
  }

  private func carryOut(_ orders: [TransferOrder]) async throws(StoreError) {
    try await engine.start()
    for id in try await engine.add(orders) {
      guard let ended = await engine.ended(id), ended.state == .done else {
        let left = try await engine.transfers().first { $0.id == id }
        throw left?.error ?? StoreError(.server, "A transfer was not done.")
      }
    }
    await engine.stop()
  }
}
