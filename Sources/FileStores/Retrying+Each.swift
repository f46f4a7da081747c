extension Retrying {
  /// Asks for many things at once, and again for those alone that failed for a while. The results are in the items'
  /// order. What fails with an item's `isFinal` is not asked for again.
  /// - Throws: what hinders all of them, at the last try.
  func each<Item: Sendable, Value: Sendable>(
    _ items: [Item], isFinal: (Item) -> Bool = { _ in false },
    _ body: ([Item], Int) async throws(StoreError) -> [Result<Value, StoreError>]
  ) async throws(StoreError) -> [Result<Value, StoreError>] {
    var results = [Result<Value, StoreError>?](repeating: nil, count: items.count)
    var open = Array(items.indices)
    var attempt = 1
    while !open.isEmpty {
      let trouble: StoreError
      do throws(StoreError) {
        report(.asks)
        let answers = try await body(open.map { items[$0] }, attempt)
        for (index, answer) in zip(open, answers) { results[index] = answer }
        let failed = open.filter { index in
          if case .failure(let error)? = results[index] { error.isTemporary && !isFinal(items[index]) } else { false }
        }
        open = failed
        guard let first = failed.first, case .failure(let error)? = results[first] else {
          report(.answered)
          break
        }
        trouble = error
      } catch {
        trouble = error
      }
      attempt += 1
      do throws(StoreError) {
        try await pause(before: attempt, after: trouble)
      } catch {
        // Where others have their answers, the trouble is that of the rest alone.
        guard error.kind != .cancelled, results.contains(where: { $0 != nil }) else { throw error }
        for index in open { results[index] = .failure(error) }
        break
      }
    }
    return results.map { $0 ?? .failure(.cancelled("The work")) }
  }
}
