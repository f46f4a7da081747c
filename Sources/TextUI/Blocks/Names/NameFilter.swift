/// Find as you type: keeps the rows that match, and looks only among them when more is typed.
public struct NameFilter: Sendable {
  /// What is asked now.
  public private(set) var query = NameQuery([])
  /// The rows that match, in the table's order; nil when nothing is asked and all match.
  public private(set) var rows: [Int32]?

  /// A filter that lets all through.
  public init() {}

  /// Another query, on the same table as before.
  public mutating func change(to text: some Collection<UInt8>, in table: NameTable) {
    let query = NameQuery(text)
    let candidates = query.narrows(self.query) ? rows : nil
    self.query = query
    rows = query.isEmpty ? nil : table.rows(matching: query, among: candidates)
  }

  /// The table has changed: the same query again.
  public mutating func refresh(_ table: NameTable) {
    rows = query.isEmpty ? nil : table.rows(matching: query)
  }

  /// How many rows match, of a table with `total`.
  public func count(of total: Int) -> Int { rows?.count ?? total }

  /// The table's row at a place of the filtered list.
  public func row(at index: Int) -> Int { rows.map { Int($0[index]) } ?? index }
}
