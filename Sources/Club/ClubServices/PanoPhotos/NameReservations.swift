import FileStores
import Synchronization

/// The reserved names of planned and running uploads, which are never equal.
final class NameReservations: Sendable {
  private static let maxNumber = 10_000
  private let taken = Mutex<Set<[UInt8]>>([])

  /// Reserves the first free name of "garage.jpg", "garage (2).jpg", … in `folder`, from `number` on. If the store is
  /// not asked or cannot be reached, all names count as free there; the upload checks again.
  func reserve(
    _ name: [UInt8], from number: Int = 1, in folder: StorePath, store: any FileStore, asksStore: Bool = true
  ) async throws(StoreError) -> NameReservation {
    for number in number...max(number, Self.maxNumber) {
      let candidate = number == 1 ? name : NumberedName.numbered(name, number, limit: store.limits.nameBytes)
      let path = try folder.appending(candidate)
      let key = Self.key(path, store.limits)
      guard taken.withLock({ $0.insert(key).inserted }) else { continue }
      let reservation = NameReservation(path: path, name: name, number: number, key: key, owner: self)
      guard asksStore else { return reservation }
      do throws(StoreError) {
        _ = try await store.entry(at: path)
      } catch {
        if error.isTemporary { reservation.unanswered.withLock { $0 = error } }
        guard error.kind == .notFound || error.isTemporary else { throw error }
        return reservation
      }
    }
    throw StoreError(
      .exists, "Too many photos are called \"\(String(decoding: name, as: UTF8.self))\".",
      remedy: "Choose another name.")
  }

  fileprivate func release(_ key: [UInt8]) { taken.withLock { _ = $0.remove(key) } }

  private static func key(_ path: StorePath, _ limits: StoreLimits) -> [UInt8] {
    limits.caseSensitive ? path.bytes : Array(path.description.lowercased().utf8)
  }
}

/// A name that is reserved for one photo until the last reference is released.
final class NameReservation: Sendable {
  let path: StorePath
  let name: [UInt8]
  let number: Int
  /// The error that prevented the check for the name; nil if the store answered.
  let unanswered = Mutex<StoreError?>(nil)
  private let key: [UInt8]
  private let owner: NameReservations

  init(path: StorePath, name: [UInt8], number: Int, key: [UInt8], owner: NameReservations) {
    self.path = path
    self.name = name
    self.number = number
    self.key = key
    self.owner = owner
  }

  deinit { owner.release(key) }
}
