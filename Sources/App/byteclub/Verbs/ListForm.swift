import ArgumentParser
import FileStores
import TextUI

/// The order and the form of the lists of notes and photos.
struct ListForm: ParsableArguments {
  enum Order: String, CaseIterable, ExpressibleByArgument {
    case name, date, size, taken
  }

  @Flag(name: .shortAndLong, help: "Show size and time, too.")
  var long = false
  @Option(
    name: .long,
    help: "The order: by name, by date of change or taken (photos; both newest first), or by size (largest first).")
  var sort = Order.name
  @Flag(name: .long, help: "Reverse the order.")
  var reverse = false
  @Flag(name: [.customShort("z"), .long], help: "End each line with a NUL byte, as xargs -0 reads it.")
  var null = false

  /// True if names alone are enough.
  var needsNamesOnly: Bool { !long && sort == .name }

  func check(_ shared: SharedOptions) throws {
    if null, shared.json { throw ValidationError("--null and --json are two forms. Leave one of them out.") }
  }

  /// In the order of the app's lists: equal dates and sizes are in the order of the names.
  /// - Parameter taken: when photos were taken; the last change stands for a time that is not known.
  func sorted(
    _ entries: [FileEntry], taken: [StorePath: Timestamp] = [:], by name: (FileEntry) -> ArraySlice<UInt8>
  ) -> [FileEntry] {
    let ranks = NameTable(entries.map(name)).sortedRows().map { Int($0) }.enumerated()
    let rows =
      switch sort {
      case .name: ranks.map(\.element)
      case .date: ranks.sorted { ListForm.comesFirst($0, $1) { entries[$0].modified } }.map(\.element)
      case .taken:
        ranks.sorted { ListForm.comesFirst($0, $1) { taken[entries[$0].path] ?? entries[$0].modified } }.map(\.element)
      case .size: ranks.sorted { ListForm.comesFirst($0, $1) { entries[$0].size } }.map(\.element)
      }
    return (reverse ? rows.reversed() : rows).map { entries[$0] }
  }

  /// True for the greater value, or the one with the lower rank. Entries without a value come last.
  private static func comesFirst<Value: Comparable>(
    _ left: (offset: Int, element: Int), _ right: (offset: Int, element: Int), _ value: (Int) -> Value?
  ) -> Bool {
    let (first, second) = (value(left.element), value(right.element))
    guard first != second else { return left.offset < right.offset }
    guard let first, let second else { return first != nil }
    return first > second
  }

  func answer(_ records: [Record]) -> Answer {
    var answer = Answer(records)
    if null { answer.lineEnd = 0 }
    return answer
  }
}
