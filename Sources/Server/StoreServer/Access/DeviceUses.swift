import Basics
import Database
import FileStores
import Synchronization

/// The last use of each device, written at most once an hour: a commit for each request would cost more than it tells.
final class DeviceUses: Sendable {
  static let interval: Int64 = 3600
  /// A full memory is emptied; the uses are then written again.
  private static let most = 10_000

  private let noted = Mutex<[String: Int64]>([:])

  /// True if the use of this family at this second has to be noted. Does not block.
  func isDue(_ family: String, at second: Int64) -> Bool {
    noted.withLock { noted in noted[family].map { second - $0 >= DeviceUses.interval } ?? true }
  }

  /// Notes a use if it is due. A full disk shuts no member out: the use is then lost.
  func note(_ family: String, at second: Int64, _ members: ServerMembersDatabase, on pool: BlockingPool) async {
    guard isDue(family, at: second) else { return }
    noted.withLock { noted in
      if noted.count >= DeviceUses.most { noted = [:] }
      noted[family] = second
    }
    do throws(StoreError) {
      try await pool.run { () throws(StoreError) in try members.note(use: family, at: second) }
    } catch {
      return
    }
  }
}
