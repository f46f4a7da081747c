public import Basics
public import FileStores

/// Copies all files and folders of a club into another store, which need not be empty. Files with the same content
/// stay, so an interrupted copy continues, and a repeated one adds only changes.
///
/// - Every file is compared with the content hash of its listing, if any. It is complete before it gets its name and
///   durable when the copy ends. Files keep their modification time where the target keeps such times.
/// - Nothing in the target is removed. A file with other content is replaced only on request, and only if it has not
///   changed since the comparison. On the same request, a file in the place of a folder is moved aside, and a folder in the
///   place of a file.
/// - With `verifies`, each written file is compared by content hash: with the target's own, or by reading it back, unless
///   the target itself compares what arrives (`StoreLimits.comparesBytes`).
/// - Many small files come in one request if the store can do so (`FolderReading`), otherwise several at once.
public struct ClubExport: Sendable {
  public struct Outcome: Sendable {
    public let written: ExportProgress
    public let kept: Int
    public let aside: [Move]
    /// Links and devices, which are never copied.
    public let leftOut: [StorePath]
    /// An error for each unreadable folder, and for each file that could not be read or written.
    public let failures: [StoreError]
  }

  /// Something in the target that gives its name to the club's folder or file.
  public struct Move: Sendable, Hashable {
    public let from: StorePath
    public let to: StorePath
    public let isFolder: Bool
  }

  static let smallBytes: UInt64 = 1 << 20
  /// The least number of small files for which the whole club is read at once.
  private static let fewFiles = 24
  /// Concurrent reads of small files, and of large ones.
  private static let smallAtOnce = 16
  private static let largeAtOnce = 4

  private let source: any FileStore
  private let target: any FileStore
  private let pool: BlockingPool
  private let verifies: Bool

  public init(from source: any FileStore, to target: any FileStore, pool: BlockingPool, verifies: Bool = false) {
    (self.source, self.target, self.pool, self.verifies) = (source, target, pool, verifies)
  }

  /// The files that `run` would write, and those that it would leave.
  public struct Preview: Sendable {
    /// Sorted by path.
    public let files: [(entry: FileEntry, isReplacing: Bool)]
    public let bytes: UInt64
    public let kept: Int
    public let aside: [Move]
    public let leftOut: [StorePath]
    public let failures: [StoreError]
  }

  /// Compares both sides, and writes nothing.
  /// - Parameter target: nil for one that does not exist.
  /// - Throws: errors of the listing of either side.
  public static func preview(
    of source: any FileStore, to target: (any FileStore)?, replaces: Bool
  ) async throws(StoreError) -> Preview {
    let club = try await ExportListing(of: source)
    let plan = try await ExportPlan(club, of: source, in: target, replaces: replaces)
    let items = plan.items.values.sorted { $0.file.path < $1.file.path }
    return Preview(
      files: items.map { ($0.file, $0.mode != .create) }, bytes: items.map(\.file).totalBytes, kept: plan.kept,
      aside: plan.aside, leftOut: club.leftOut, failures: plan.refused + club.failures)
  }

  /// Any thread may call `progress`. Written files stay after an error.
  /// - Throws: errors that stop the whole copy: of the listing of either side, `cancelled`, a lost sign-in or
  ///   network, a full disk.
  public func run(
    replaces: Bool, _ progress: @escaping @Sendable (ExportProgress) -> Void = { _ in }
  ) async throws(StoreError) -> Outcome {
    let club = try await ExportListing(of: source)
    let plan = try await ExportPlan(club, of: source, in: target, replaces: replaces)
    let wanted = plan.items.values.map(\.file)
    let goal = ExportTarget(
      target, on: pool, verifies: verifies, ExportProgress(ofFiles: wanted.count, ofBytes: wanted.totalBytes),
      progress)
    do throws(StoreError) {
      for move in plan.aside { _ = try await target.move(move.from, to: move.to, ifRevision: nil) }
      try await fetch(plan, club.files, goal)
      try await goal.make(plan.emptyFolders)
    } catch {
      await goal.settle()
      guard Task.isCancelled else { throw error }
      throw StoreError(
        .cancelled, "The copy was stopped after \(await goal.account.files) of \(wanted.count) files.",
        remedy: "The same command goes on with the others.")
    }
    return Outcome(
      written: await goal.account, kept: plan.kept, aside: plan.aside, leftOut: club.leftOut,
      failures: plan.refused + club.failures + (await goal.failures))
  }

  private func fetch(_ plan: ExportPlan, _ files: [FileEntry], _ goal: ExportTarget) async throws(StoreError) {
    var rest = plan.items
    if let reading = source.capabilities.folders, ClubExport.isWorthIt(plan, files, reading) {
      try await readTogether(&rest, reading, goal)
    }
    try await readEach(rest.values.filter { ClubExport.isSmall($0.file) }, ClubExport.smallAtOnce, goal) {
      (item) throws(StoreError) in
      let file = item.file
      let (content, read) = try await source.readAll(
        file.path, ifRevision: file.revision, limit: Int(ClubExport.smallBytes))
      guard file.contentHash == nil || file.contentHash == ContentHash(of: content) else {
        throw .damaged(file.path)
      }
      try await goal.add(item, content, ownTime: read.ownTime)
    }
    try await goal.flush()
    try await readEach(rest.values.filter { !ClubExport.isSmall($0.file) }, ClubExport.largeAtOnce, goal) {
      (item) throws(StoreError) in
      var file = item.file
      // A large file is named before it is read, and a list of S3 has the times of its writes alone.
      if source.limits.keepsTimes { file.ownTime = try await source.entry(at: file.path).ownTime }
      let content = StoreSource(file, in: source, on: pool.tasks)
      try await goal.write(content, at: item.file.path, item.mode)
    }
  }

  private static func isSmall(_ file: FileEntry) -> Bool { (file.size ?? .max) <= smallBytes }

  /// True if one request for the whole club is faster than a request for each file: many files are small, and the
  /// unneeded bytes are at most half of theirs.
  private static func isWorthIt(_ plan: ExportPlan, _ files: [FileEntry], _ reading: any FolderReading) -> Bool {
    let small = plan.items.values.map(\.file).filter(isSmall)
    let wanted = small.totalBytes
    let all = files.totalBytes
    // Folders count too; apart from empty ones there are at most as many as files.
    return small.count >= fewFiles && 2 * files.count <= reading.mostEntries && all <= reading.mostBytes
      && all - wanted <= wanted / 2
  }

  /// Removes the files that arrive from `rest`. After an error the others are read one by one, which reports it again.
  private func readTogether(
    _ rest: inout [StorePath: ExportPlan.Item], _ reading: any FolderReading, _ goal: ExportTarget
  ) async throws(StoreError) {
    let wanted = rest.values.map(\.file).filter(ClubExport.isSmall)
    var content: [UInt8] = []
    do throws(StoreError) {
      try await reading.read(wanted, below: .root) { parts throws(StoreError) in
        for part in parts {
          switch part {
          case .bytes(_, let chunk): content += chunk
          case .dropped: content = []
          case .whole(let file):
            if let item = rest.removeValue(forKey: file.path) { try await goal.add(item, content) }
            content = []
          }
        }
      }
    } catch {
      if Task.isCancelled { throw error }
      try await goal.flush()
    }
  }

  /// Runs `body` for each item, some at once. A failure stops the others only if it affects all of them.
  private func readEach(
    _ items: [ExportPlan.Item], _ atOnce: Int, _ goal: ExportTarget,
    _ body: @escaping @Sendable (ExportPlan.Item) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    let failure: StoreError? = await withTaskGroup(of: StoreError?.self) { group in
      var failure: StoreError?
      for (index, item) in items.enumerated() {
        if index >= atOnce, let ended = await group.next() ?? nil { failure = failure ?? ended }
        if failure != nil { break }
        group.addTask {
          do throws(StoreError) {
            if Task.isCancelled { throw .cancelled("The copy") }
            try await body(item)
            return nil
          } catch {
            if Task.isCancelled || [.notSignedIn, .offline, .quota].contains(error.kind) { return error }
            await goal.fail(error, item.file)
            return nil
          }
        }
      }
      for await ended in group { failure = failure ?? ended }
      return failure
    }
    if let failure { throw failure }
  }
}
