public import FileStores

/// A store whose writes this member has seen.
public struct SeenStore: StoreWrapper {
  public let base: any FileStore
  private let news: NewsService
  private let waits: Bool

  /// - Parameter waits: true if a write returns only when the catalogue has it, so that other `NewsService`s know it.
  public init(_ base: any FileStore, news: NewsService, waits: Bool = false) {
    (self.base, self.news, self.waits) = (base, news, waits)
  }

  public func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    let answer = try await body()
    switch call.name {
    case .put, .move, .finish, .restore, .restoreVersion, .adopt, .batch: await see(answer)
    default: break
    }
    return answer
  }

  private func see(_ answer: some Sendable) async {
    switch answer {
    case let entry as FileEntry: await see([entry])
    case let entry as FileEntry?: await see(entry.map { [$0] } ?? [])
    case let results as [Result<FileEntry, StoreError>]:
      await see(results.compactMap { if case .success(let entry) = $0 { entry } else { nil } })
    default: break
    }
  }

  private func see(_ entries: [FileEntry]) async { await news.wrote(entries, waits: waits) }
}
