import FileStores

enum Several {
  /// A failure does not stop the other items; cancellation does.
  static func perform<Item>(
    _ items: [Item], _ body: (Item) async throws(StoreError) -> Record
  ) async throws(StoreError) -> Answer {
    var answer = Answer()
    for item in items {
      if Task.isCancelled { throw .cancelled("The command") }
      do throws(StoreError) {
        answer.records.append(try await body(item))
      } catch {
        answer.failures.append(error)
        if error.kind == .cancelled { break }
      }
    }
    return answer
  }
}
