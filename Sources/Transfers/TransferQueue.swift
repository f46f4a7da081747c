/// Who is to begin next: for each store those that wait for their turn, by position.
struct TransferQueue {
  struct Place: Comparable, Hashable {
    let position: Int64
    let id: Transfer.ID
    static func < (one: Place, other: Place) -> Bool { (one.position, one.id) < (other.position, other.id) }
  }

  private var stores: [String: [Place]] = [:]

  mutating func add(_ record: TransferRecord) {
    let place = Place(position: record.position, id: record.id)
    stores[record.order.store, default: []].insert(place, at: index(of: place, record.order.store))
  }

  mutating func remove(_ record: TransferRecord) {
    let place = Place(position: record.position, id: record.id)
    let at = index(of: place, record.order.store)
    guard let line = stores[record.order.store], at < line.count, line[at] == place else { return }
    stores[record.order.store]?.remove(at: at)
    if stores[record.order.store]?.isEmpty == true { stores[record.order.store] = nil }
  }

  /// The first of those whose store `mayStart`.
  func first(where mayStart: (String) -> Bool) -> Transfer.ID? {
    stores.filter { mayStart($0.key) }.compactMap(\.value.first).min()?.id
  }

  private func index(of place: Place, _ store: String) -> Int {
    guard let line = stores[store] else { return 0 }
    var (low, high) = (0, line.count)
    while low < high {
      let middle = (low + high) / 2
      if line[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
