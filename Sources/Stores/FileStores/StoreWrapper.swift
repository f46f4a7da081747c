/// A store around another, the base. Every call goes to the base, through `call`; a wrapper implements other members
/// only if that is not enough. Its capabilities are those of the base, each with `call` around its calls.
public protocol StoreWrapper: FileStore {
  var base: any FileStore { get }

  /// Makes a call to the base, once unless the wrapper documents otherwise.
  func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer

  /// Makes a call about many things, with one result for each in their order: one `call` of all of them unless the
  /// wrapper documents otherwise. `part` describes the call about one of them.
  func callEach<Item: Sendable, Answer: Sendable>(
    _ call: StoreCall<[Result<Answer, StoreError>]>, _ items: [Item],
    part: (Item) -> StoreCall<Answer>,
    _ body: ([Item]) async throws(StoreError) -> [Result<Answer, StoreError>]
  ) async throws(StoreError) -> [Result<Answer, StoreError>]
}

extension StoreWrapper {
  public func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    try await body()
  }

  /// `call` with one expression.
  func forward<Answer: Sendable>(
    _ call: StoreCall<Answer>, to body: @autoclosure () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    try await self.call(call, body)
  }

  public func callEach<Item: Sendable, Answer: Sendable>(
    _ call: StoreCall<[Result<Answer, StoreError>]>, _ items: [Item],
    part: (Item) -> StoreCall<Answer>,
    _ body: ([Item]) async throws(StoreError) -> [Result<Answer, StoreError>]
  ) async throws(StoreError) -> [Result<Answer, StoreError>] {
    try await self.call(call) { () throws(StoreError) in try await body(items) }
  }

  public var limits: StoreLimits { base.limits }

  public var capabilities: Capabilities { wrapped(base.capabilities) }

  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try await forward(.list(folder, options, after: cursor), to: try await base.list(folder, options, after: cursor))
  }

  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try await forward(.entry(path), to: try await base.entry(at: path))
  }

  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await forward(.read(path, options), to: try await base.read(path, options, receive))
  }

  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try await forward(.put(path, mode), to: try await base.put(source, at: path, mode: mode))
  }

  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    try await forward(.move(path, to: target), to: try await base.move(path, to: target, ifRevision: ifRevision))
  }

  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try await forward(.delete(path), to: try await base.delete(path, ifRevision: ifRevision))
  }

  public func createFolder(_ path: StorePath) async throws(StoreError) {
    try await forward(.createFolder(path), to: try await base.createFolder(path))
  }
}
