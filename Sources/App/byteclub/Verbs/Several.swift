import FileStores

enum Several {
  /// A failure does not stop the other items; cancellation does.
  static func perform<Item>(
    _ items: [Item], _ body: (Item) async throws(StoreError) -> Record
  ) async throws(StoreError) -> Answer {
    try await performEach(items) { item throws(StoreError) in [try await body(item)] }
  }

  /// As `perform`, for items with any number of records.
  static func performEach<Item>(
    _ items: [Item], _ body: (Item) async throws(StoreError) -> [Record]
  ) async throws(StoreError) -> Answer {
    var answer = Answer()
    for item in items {
      if Task.isCancelled { throw .cancelled("The command") }
      do throws(StoreError) {
        answer.records += try await body(item)
      } catch {
        answer.failures.append(error)
        if error.kind == .cancelled { break }
      }
    }
    return answer
  }
}
