import Backends
import Basics
import Database
import FileStores
import Foundation
import Synchronization
import TestKit

@testable import ClubServices

/// One run of byteclub on a simulated machine: the services of the program, over files of the machine.
final class SimulatedProcess: Sendable {
  let link: SimulatedLink
  let copy: LocalCopy
  let drafts: DraftJournal
  let notes: NotesService
  let ledger: WordLedger
  /// The number of member's actions that have not ended.
  let running = Mutex(0)

  init(
    _ machine: Int, folder: String, account: String, isConnected: Bool, server: WatchedServer,
    network: SimulatedNetwork, ledger: WordLedger, pool: BlockingPool
  ) throws(StoreError) {
    let photos = try StorePath("photos")
    let link = SimulatedLink(server, machine: machine, isConnected: isConnected, network)
    let connection = StoreConnection(now: { network.now.seconds })
    let outbox = OutboxDatabase(openingLater: "\(folder)/outbox.sqlite", patience: .seconds(600))
    let store = RetryingStore(
      link, policy: RetryPolicy(attempts: 2), clock: ManualClock(advancesOnSleep: true),
      observer: { connection.observe($0) })
    (self.link, self.ledger) = (link, ledger)
    copy = LocalCopy(
      club: "club", photosFolder: photos, store: store, direct: link,
      database: LocalCopyDatabase(openingLater: "\(folder)/copies.sqlite", patience: .seconds(600)), outbox: outbox,
      connection: connection,
      pool: pool, freshness: .atOnce, account: { account }, now: { network.now },
      onFailure: { ledger.note("failure of the copy: \($0.kind)") })
    let club = Club(
      name: "lab", place: "club", memberName: { "m\(machine)" }, store: LocalCopyStore(copy), photosFolder: photos,
      copy: copy)
    drafts = DraftJournal(
      club: club, outbox: outbox, basesDirectory: "\(folder)/bases", pool: pool, now: { network.now },
      onFailure: { ledger.note("failure of the outbox: \($0.kind)") })
    notes = NotesService(
      club: club, outbox: outbox, drafts: drafts,
      folderAt: { path throws(StoreError) in try FolderStore(root: path, pool: pool) },
      editsDirectory: "\(folder)/edits", now: { network.now })
    link.watchMoves { [weak copy = self.copy] path, target in
      guard let copy else { return }
      await SimulatedProcess.check(path, target, copy, server, ledger)
    }
  }

  /// A rename is about a file that was once at its path, as the member saw it or in another version: no other one is taken
  /// along.
  private static func check(
    _ path: StorePath, _ target: StorePath, _ copy: LocalCopy, _ server: WatchedServer, _ ledger: WordLedger
  ) async {
    let change = copy.state.withLock { $0.waiting.changes.first { $0.path == path && $0.target == target } }
    guard let base = change?.base else { return }
    do throws(StoreError) {
      let versions = try await server.capabilities.revisions?.versions(of: path, limit: .max) ?? []
      if !versions.contains(where: { $0.revision == base }), !server.knows(base, at: path) {
        ledger.stray("\(path) to \(target)")
      }
    } catch {
      // The server has nothing there, so the rename will be refused.
      ledger.tell("no \(path) to rename: \(error.kind)")
    }
  }
}

/// A member's machine: the files survive a crash, the process does not.
final class SimulatedMachine {
  /// The part of the rebuildable file that a crash leaves.
  enum CopyLoss: CaseIterable {
    /// `kill -9`: the kernel has everything.
    case nothing
    /// A power cut: the file as it was at the last flush.
    case unsynced
    case damaged
  }

  let number: Int
  private(set) var process: SimulatedProcess
  var account = "ann"
  private let home: String
  private let make: (_ folder: String, _ account: String, _ isConnected: Bool) throws -> SimulatedProcess
  private var generation = 0

  init(
    _ number: Int, home: String,
    _ make: @escaping (_ folder: String, _ account: String, _ isConnected: Bool) throws -> SimulatedProcess
  ) throws {
    (self.number, self.home, self.make) = (number, home, make)
    let folder = SimulatedMachine.folder(home, number, 0)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    process = try make(folder, account, true)
  }

  private static func folder(_ home: String, _ number: Int, _ generation: Int) -> String {
    "\(home)/m\(number)-\(generation)"
  }

  private var folder: String { SimulatedMachine.folder(home, number, generation) }
  private var synced: String { "\(home)/m\(number)-synced" }

  /// The rebuildable file reaches the disk. The outbox always does.
  func sync() throws {
    removeFolder(synced)
    try FileManager.default.createDirectory(atPath: synced, withIntermediateDirectories: true)
    try copyFiles(from: folder, to: synced) { $0.hasPrefix("copies.sqlite") }
  }

  /// Ends the process in the middle of whatever it does, and starts the next one over the files as they are now.
  func crash(_ loss: CopyLoss) throws {
    process.link.die()
    let old = folder
    generation += 1
    let manager = FileManager.default
    try manager.createDirectory(atPath: "\(folder)/bases", withIntermediateDirectories: true)
    try copyFiles(from: old, to: folder) { $0.hasPrefix("outbox.sqlite") }
    if manager.fileExists(atPath: "\(old)/bases") {
      try copyFiles(from: "\(old)/bases", to: "\(folder)/bases") { !$0.contains(".lock") }
    }
    switch loss {
    case .nothing: try copyFiles(from: old, to: folder) { $0.hasPrefix("copies.sqlite") }
    case .unsynced:
      if manager.fileExists(atPath: synced) { try copyFiles(from: synced, to: folder) { _ in true } }
    case .damaged: try Data("no database at all".utf8).write(to: URL(filePath: "\(folder)/copies.sqlite"))
    }
    process = try make(folder, account, process.link.isConnected)
  }

  /// Without the shared memory of a log, which no crash leaves.
  private func copyFiles(from old: String, to new: String, _ isWanted: (String) -> Bool) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: old) where isWanted(name) && !name.hasSuffix("-shm")
    {
      try FileManager.default.copyItem(atPath: "\(old)/\(name)", toPath: "\(new)/\(name)")
    }
  }
}
