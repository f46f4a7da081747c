import Basics

extension Array where Element: Sendable {
  /// Runs `body` on each element, at most `most` at a time, for calls that spend their time waiting. The results are in
  /// the elements' order; a failure affects no other element. `body` has to check for cancellation itself.
  public func results<Value: Sendable>(
    atOnce most: Int, _ body: @escaping @Sendable (Element) async throws(StoreError) -> Value
  ) async -> [Result<Value, StoreError>] {
    await withTaskGroup(of: (Int, Result<Value, StoreError>).self) { group in
      var results = [Result<Value, StoreError>](repeating: .failure(.cancelled("The work")), count: count)
      for (index, element) in enumerated() {
        if index >= most, let (done, result) = await group.next() { results[done] = result }
        group.addTask {
          (index, await .catching { () throws(StoreError) in try await body(element) })
        }
      }
      for await (done, result) in group { results[done] = result }
      return results
    }
  }
}
