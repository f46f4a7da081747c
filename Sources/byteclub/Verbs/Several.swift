import FileStores

/// Does one thing to several.
enum Several {
  /// Does it to each, in order; what fails does not keep the others from being done. Cancellation ends it.
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
