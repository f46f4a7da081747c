import Backends
import Basics
import FileStores
import POSIX
import Transfers

/// What `scripts/bench` measures of the rooms below the app: one file, or many small ones, without a screen.
///
///     NetworkProbe store-get KIND PATH            through a store, what it receives thrown away
///     NetworkProbe store-put KIND FILE PATH       through a store
///     NetworkProbe store-up KIND DIRECTORY PATH   all files of a directory through a store
///     NetworkProbe store-down KIND PATH DIRECTORY all files of a folder of the store, whole before they have their names
///     NetworkProbe engine-up KIND DIRECTORY PATH JOURNAL    as transfers, with a journal in a file or in "memory"
///     NetworkProbe engine-down KIND PATH DIRECTORY JOURNAL  as transfers
///
/// PROBE_TOGETHER files are under way at once (16). The stores are at PROBE_SERVER, with PROBE_TOKEN, trusting PROBE_CA when that is set.
@main
enum NetworkProbe {
  /// How many files are under way at once.
  static let together = Int(variable("PROBE_TOGETHER")) ?? 16
  static let pool = BlockingPool()

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    // On the threads that all tasks of byteclub itself run on.
    let task = Task(executorPreference: pool.tasks) { () async -> StoreError? in
      do throws(StoreError) {
        try await run(Array(CommandLine.arguments.dropFirst()))
        return nil
      } catch {
        return error
      }
    }
    guard let error = await task.value else { return }
    print("NetworkProbe: \(error)")
    exit(1)
  }

  private static func run(_ words: [String]) async throws(StoreError) {
    switch (words.first, words.count) {
    case ("store-get", 3):
      _ = try await store(words[1]).read(try StorePath(words[2]), from: 0, ifRevision: nil) { (_) throws(StoreError) in
      }
    case ("store-put", 4):
      let source = try await FileSource(path: words[2], pool: pool)
      _ = try await store(words[1]).put(source, at: try StorePath(words[3]), mode: .create)
    case ("store-up", 4): try await sendAll(words[2], to: try StorePath(words[3]), of: try store(words[1]))
    case ("store-down", 4): try await fetchAll(try StorePath(words[2]), of: try store(words[1]), into: words[3])
    case ("engine-up", 5):
      let local = try StoreRegistry.standard.open(
        StoreDescription(kind: "folder", options: ["path": words[2]]), pool: pool)
      try await TransferProbe(store: try store(words[1]), journal: words[4])
        .send(try await files(in: .root, of: local), of: words[2], to: try StorePath(words[3]))
    case ("engine-down", 5):
      let (folder, store) = (try StorePath(words[2]), try store(words[1]))
      try await TransferProbe(store: store, journal: words[4])
        .fetch(try await files(in: folder, of: store).map(\.path), into: words[3])
    default: throw StoreError(.badInput, "NetworkProbe does not know \"\(words.joined(separator: " "))\".")
    }
  }

  private static func store(_ kind: String) throws(StoreError) -> any FileStore {
    var options = ["server": variable("PROBE_SERVER"), "folder": "/"]
    if !variable("PROBE_CA").isEmpty { options["caFile"] = variable("PROBE_CA") }
    let what = StoreDescription(kind: kind, options: options)
    guard let transport = try StoreRegistry.standard.transport(for: what, adjust: { $0.connectionsPerHost = together })
    else {
      throw StoreError(.badInput, "\(kind) has no transport.")
    }
    let network = StoreNetwork(transport: transport, tokens: StaticToken(variable("PROBE_TOKEN")))
    return try StoreRegistry.standard.open(what, pool: pool, network: network)
  }

  private static func sendAll(_ directory: String, to folder: StorePath, of store: any FileStore)
    async throws(StoreError)
  {
    let local = try StoreRegistry.standard.open(
      StoreDescription(kind: "folder", options: ["path": directory]), pool: pool)
    let names = try await names(in: .root, of: local)
    try await each(names) { (name) throws(StoreError) in
      let (bytes, _) = try await local.readAll(try StorePath.root.appending(name), limit: 1 << 20)
      _ = try await store.put(DataSource(bytes), at: try folder.appending(name), mode: .create)
    }
  }

  private static func fetchAll(
    _ folder: StorePath, of store: any FileStore, into directory: String
  ) async throws(StoreError) {
    let names = try await names(in: folder, of: store)
    try await each(names) { (name) throws(StoreError) in
      let goal = "\(directory)/\(String(decoding: name, as: UTF8.self))"
      // What comes in one piece costs one trip to the pool.
      var (file, held): (WholeFile?, ByteChunk?) = (nil, nil)
      // The file is compared as it is written.
      let entry = try await store.read(try folder.appending(name), ReadOptions(isChecked: false)) {
        (chunk) throws(StoreError) in
        let (earlier, before) = (file, held)
        held = chunk
        guard let before else { return }
        file = try await pool.run { () throws(StoreError) in try WholeFile.adding(before, to: earlier, goal) }
      }
      let (begun, last) = (file, held ?? [])
      try await pool.run { () throws(StoreError) in try WholeFile.adding(last, to: begun, goal).finish(entry) }
    }
  }

  private static func names(in folder: StorePath, of store: any FileStore) async throws(StoreError) -> [[UInt8]] {
    try await files(in: folder, of: store, ListOptions(.names)).map { Array($0.path.name) }
  }

  private static func files(
    in folder: StorePath, of store: any FileStore, _ options: ListOptions = ListOptions(.full)
  ) async throws(StoreError) -> [FileEntry] {
    var files: [FileEntry] = []
    var cursor: ListCursor?
    repeat {
      let page = try await store.list(folder, options, after: cursor)
      files += page.entries.filter { $0.kind == .file }
      cursor = page.next
    } while cursor != nil
    return files
  }

  /// Some at once, all of them: twice as many as are under way, so that one is written to the disk while the next comes.
  private static func each(
    _ names: [[UInt8]], _ body: @escaping @Sendable ([UInt8]) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    let failure: StoreError? = await withTaskGroup(of: StoreError?.self) { group in
      var rest = names[...]
      var failure: StoreError?
      func start() {
        guard failure == nil, let name = rest.popFirst() else { return }
        group.addTask {
          do throws(StoreError) {
            try await body(name)
            return nil
          } catch {
            return error
          }
        }
      }
      for _ in 0..<2 * together { start() }
      for await ended in group {
        failure = failure ?? ended
        start()
      }
      return failure
    }
    if let failure { throw failure }
  }

  private static func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
}
