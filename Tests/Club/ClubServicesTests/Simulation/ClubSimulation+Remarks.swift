import FileStores

@testable import ClubServices

extension ClubSimulation {
  /// The texts of a club at the end of a simulation.
  struct Remains: Sendable {
    var files: [StorePath: [UInt8]]
    /// In the trash, or in a text that a member dropped.
    var apart: Set<String> = []
  }

  /// Looks for each acknowledged remark: in one talk file, once. A talk file that went into the trash with its note is there.
  func checkRemarks(_ remains: Remains, _ ledger: RemarkLedger, _ report: inout Report) {
    var places: [String: [StorePath]] = [:]
    for (path, text) in remains.files where Talk.isNamed(path) {
      for id in RemarkLedger.ids(of: text) { places[id, default: []].append(path) }
    }
    report.replaced = ledger.replaced
    for id in ledger.expected {
      report.remarks += 1
      let found = (places[id] ?? []).sorted()
      if found.isEmpty, !remains.apart.contains(id) { report.lost.append("remark \(id)") }
      if found.count > 1 { report.doubled.append("remark \(id) in \(found)") }
    }
  }

  /// The talk files, as each machine has to list them.
  static func talks(in files: [StorePath: [UInt8]]) -> [String] {
    files.keys.compactMap { Talk.thing(of: $0) }.sorted().map { words(of: $0, isGone: files[$0] == nil) }
  }

  static func words(of thing: StorePath, isGone: Bool) -> String { "\(thing)\(isGone ? ", gone" : "")" }
}
