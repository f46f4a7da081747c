import FileStores
import Transfers

/// Transfers are named by their id, or the beginning of it.
enum TransferName {
  /// The transfer that is meant.
  /// - Throws: `notFound`; `badInput` when several begin so.
  static func find(_ name: String, among transfers: [Transfer]) throws(StoreError) -> Transfer {
    if let exact = transfers.first(where: { $0.id == name }) { return exact }
    let remedy = "See the ids with: byteclub transfer ls"
    let found = name.isEmpty ? [] : transfers.filter { $0.id.hasPrefix(name) }
    guard let first = found.first else {
      throw StoreError(.notFound, "byteclub has no transfer \"\(name)\".", remedy: remedy)
    }
    guard found.count == 1 else {
      throw StoreError(.badInput, "\"\(name)\" begins the ids of \(found.count) transfers.", remedy: remedy)
    }
    return first
  }

  /// The beginnings of all ids that tell them apart, at least five characters long.
  static func short(_ ids: [Transfer.ID]) -> [Transfer.ID: String] {
    // In order, an id shares its longest beginning with a neighbour.
    let sorted = ids.sorted()
    var short: [Transfer.ID: String] = [:]
    for (at, id) in sorted.enumerated() {
      let neighbours = [at > 0 ? sorted[at - 1] : "", at + 1 < sorted.count ? sorted[at + 1] : ""]
      let shared = neighbours.map { zip($0, id).prefix { $0 == $1 }.count }.max() ?? 0
      short[id] = String(id.prefix(max(5, shared + 1)))
    }
    return short
  }
}
