import Database
import FileStores
import Synchronization

/// The last use of each device since the last write. No request waits for a write, which would also make the server forget
/// the tokens that it remembers.
final class DeviceUses: Sendable {
  /// More than a club has; those beyond are noted after the next write.
  private static let most = 10_000

  private let noted = Mutex<[String: Int64]>([:])

  /// nil if there was none since the last write.
  subscript(family: String) -> Int64? { noted.withLock { $0[family] } }

  /// Does not block.
  func note(_ family: String, at second: Int64) {
    noted.withLock { noted in
      if noted.count < DeviceUses.most || noted[family] != nil { noted[family] = second }
    }
  }

  /// Blocks. Uses that could not be written, such as on a full disk, stay for the next time.
  func write(to members: ServerMembersDatabase) throws(StoreError) {
    let uses = noted.withLock { noted in
      defer { noted = [:] }
      return noted
    }
    guard !uses.isEmpty else { return }
    do throws(StoreError) {
      try members.note(uses: uses)
    } catch {
      noted.withLock { $0.merge(uses) { newer, _ in newer } }
      throw error
    }
  }
}
