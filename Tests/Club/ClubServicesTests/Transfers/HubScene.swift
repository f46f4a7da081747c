import Basics
import FileStores
import Foundation
import POSIX
import Synchronization
import TestKit
import Testing
import Transfers

@testable import ClubServices

/// A runtime directory for one test, and the list that all owners in it share.
final class HubScene: Sendable {
  let directory: String
  let list = SharedList()
  let pool = BlockingPool(threads: 4)
  private let made = Mutex<[FakeCarrier]>([])
  private let told = Mutex<[StoreError]>([])

  init() throws {
    let place = URL(filePath: TemporaryFolder.newPath())
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    directory = place.path
  }

  deinit { removeFolder(directory) }

  var runtime: String { directory + "/run" }
  var socket: String { runtime + "/transfers.sock" }
  /// The owners, in their order.
  var carriers: [FakeCarrier] { made.withLock { $0 } }
  /// What nobody waited for.
  var failures: [StoreError] { told.withLock { $0 } }

  /// A hub as another process would have it: locks and sockets do not care who asks.
  func hub(
    journal: String = "journal", failing: Transfer.ID? = nil, beforeAnswer: (@Sendable () async -> Void)? = nil,
    beforeReport: (@Sendable (any TransferDelegate) async -> Void)? = nil
  ) -> TransferHub {
    TransferHub(
      directory: runtime, journal: journal, patience: .seconds(600), pool: pool,
      hasTransfers: { [list] () throws(StoreError) in !list.ids.isEmpty },
      onFailure: { [weak self] error in self?.told.withLock { $0.append(error) } }
    ) { [weak self, list] () throws(StoreError) in
      let carrier = FakeCarrier(list, failing: failing, beforeAnswer: beforeAnswer, beforeReport: beforeReport)
      self?.made.withLock { $0.append(carrier) }
      return carrier
    }
  }

  static func order(_ name: String) throws -> TransferOrder {
    TransferOrder(
      club: "home", store: "folder:/club",
      work: .upload(file: "/pictures/\(name)", size: 1000, contentHash: nil, name: Array(name.utf8), number: 1),
      path: try StorePath("photos/\(name)"), name: name)
  }

  /// A connection that says what the test wants, as bytes.
  func rawConnection() throws -> Int32 {
    let descriptor = try #require(try LocalSocket.connect(to: TransferServer.socket, in: runtime))
    // Waits for what comes.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    return descriptor
  }

  /// All that comes until the other end closes.
  static func readAll(_ descriptor: Int32) -> [UInt8] {
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(descriptor, &piece, piece.count), count > 0 { all += piece[..<count] }
    return all
  }

  static func say(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      sent += count
    }
  }
}
