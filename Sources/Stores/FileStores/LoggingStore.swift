/// Logs each call in one line: the request and the outcome, never a file's content. Names are quoted, with control
/// characters escaped, so that a name cannot forge a line.
public struct LoggingStore: StoreWrapper {
  public let base: any FileStore
  private let log: @Sendable (String) -> Void

  /// `log` is called once for each finished call, on any thread, and should return soon.
  public init(_ base: any FileStore, log: @escaping @Sendable (String) -> Void) {
    (self.base, self.log) = (base, log)
  }

  public func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    do throws(StoreError) {
      let answer = try await body()
      log("\(call.request): \(call.words(for: answer))")
      return answer
    } catch {
      log("\(call.request): \(LoggingStore.words(error))")
      throw error
    }
  }

  /// Logs one call about many things, and each of its failures in its own line.
  public func callEach<Item: Sendable, Answer: Sendable>(
    _ call: StoreCall<[Result<Answer, StoreError>]>, _ items: [Item],
    part: (Item) -> StoreCall<Answer>,
    _ body: ([Item]) async throws(StoreError) -> [Result<Answer, StoreError>]
  ) async throws(StoreError) -> [Result<Answer, StoreError>] {
    let results = try await self.call(call) { () throws(StoreError) in try await body(items) }
    for case (let item, .failure(let error)) in zip(items, results) {
      log("\(part(item).request) among them: \(LoggingStore.words(error))")
    }
    return results
  }

  private static func words(_ error: StoreError) -> String { "\(error.kind.rawValue): \(error.message.onOneLine)" }
}

extension String {
  /// The words of a server on one line, at most 300 characters, for use in an error message.
  package var asServersWords: String {
    let beginning = String(unicodeScalars.prefix(301))
    let words = beginning.split { $0.isNewline }.joined(separator: " ").onOneLine
    return beginning.unicodeScalars.count > 300 ? String(words.dropLast()) + "…" : words
  }

  /// The same at the end of a sentence, which brings its own full stop.
  package var asServersClause: String {
    var words = Substring(asServersWords)
    while let last = words.last, "./ ".contains(last) { words.removeLast() }
    return words.isEmpty ? "no reason given" : String(words)
  }

  /// The text with control characters escaped, so that it cannot forge a line of a log.
  package var onOneLine: String {
    var out = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        out += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
