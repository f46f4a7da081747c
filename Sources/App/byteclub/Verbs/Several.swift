import FileStores

enum Several {
  /// A failure does not stop the other items; cancellation does.
  static func perform<Item>(
    _ items: [Item], _ body: (Item) async throws(StoreError) -> Record
  ) async throws(StoreError) -> Answer {
    try await performEach(items) { item throws(StoreError) in ([try await body(item)], nil) }
  }

  /// As `perform`, for items with any number of records, and with an error of those that are done in part.
  static func performEach<Item>(
    _ items: [Item], _ body: (Item) async throws(StoreError) -> ([Record], StoreError?)
  ) async throws(StoreError) -> Answer {
    var answer = Answer()
    for item in items {
      if Task.isCancelled { throw .cancelled("The command") }
      do throws(StoreError) {
        let (records, failure) = try await body(item)
        answer.records += records
        if let failure { answer.failures.append(failure) }
      } catch {
        answer.failures.append(error)
        if error.kind == .cancelled { break }
      }
    }
    return answer
  }
}
