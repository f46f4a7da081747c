public import FileStores

/// A copy of all of a club's files and folders in a directory, which need not be empty: what is there with the same
/// content stays as it is, so that an export that was broken off goes on, and one that is made again brings what is new.
///
/// - Every file is compared with the content hash of its listing, where that has one, is whole before it has its name,
///   and is on the disk when the export ends. Files keep the time of their last change.
/// - Nothing of the directory is removed. A file there with other content is replaced only where that was asked for, and
///   only as it was when it was looked at.
/// - A folder of many small files comes in one go where the store can do so (`FolderReading`), else several at once.
public struct ClubExport: Sendable {
  /// What came of it.
  public struct Outcome: Sendable {
    /// Written.
    public let written: ExportProgress
    /// Files that were there already, with the same content.
    public let kept: Int
    /// What could not be had or written, each about its file: links and devices of the club, and folders that may not be
    /// read, are among them.
    public let failures: [StoreError]
  }

  /// What is read or written in one piece, in bytes.
  static let smallBytes: UInt64 = 1 << 20
  /// From so many small files on, all of a folder is asked for at once.
  private static let fewFiles = 24
  /// Small files that are asked for at once, and large ones.
  private static let smallAtOnce = 16
  private static let largeAtOnce = 4

  private let source: any FileStore
  private let target: any FileStore
  private let tasks: TaskThreads?

  /// From a club's store to a directory. `pool` lends the threads of its tasks.
  public init(from source: any FileStore, to target: any FileStore, pool: BlockingPool) {
    (self.source, self.target, tasks) = (source, target, pool.tasks)
  }

  /// Makes it. Progress is told from any thread.
  /// - Throws: what hinders all of it: the listing of either side, `cancelled`, a sign-in or a network that is gone, a disk
  ///   that is full. What was written stays.
  public func run(
    replaces: Bool, _ progress: @escaping @Sendable (ExportProgress) -> Void = { _ in }
  ) async throws(StoreError) -> Outcome {
    let club = try await ExportListing(of: source)
    let plan = try await ExportPlan(club.files, of: source, in: target, replaces: replaces)
    let wanted = plan.items.values.map(\.file)
    let goal = ExportTarget(
      target, on: tasks, ExportProgress(ofFiles: wanted.count, ofBytes: wanted.totalBytes), progress)
    do throws(StoreError) {
      try await fetch(plan, club.files, goal)
      try await goal.make(club.emptyFolders)
    } catch {
      await goal.settle()
      throw error
    }
    let refused = plan.refused + club.leftOut
    return Outcome(written: await goal.account, kept: plan.kept, failures: refused + (await goal.failures))
  }

  private func fetch(_ plan: ExportPlan, _ files: [FileEntry], _ goal: ExportTarget) async throws(StoreError) {
    var rest = plan.items
    if let reading = source.folderReading, ClubExport.isWorthIt(plan, files, reading) {
      try await readTogether(&rest, reading, goal)
    }
    try await readEach(rest.values.filter { ClubExport.isSmall($0.file) }, ClubExport.smallAtOnce, goal) {
      (item) throws(StoreError) in
      let file = item.file
      let (content, _) = try await source.readAll(
        file.path, ifRevision: file.revision, limit: Int(ClubExport.smallBytes))
      guard file.contentHash == nil || file.contentHash == ContentHash(of: content) else {
        throw .damaged(file.path)
      }
      try await goal.add(item, content)
    }
    try await goal.flush()
    try await readEach(rest.values.filter { !ClubExport.isSmall($0.file) }, ClubExport.largeAtOnce, goal) {
      (item) throws(StoreError) in
      try await goal.write(StoreSource(item.file, in: source, on: tasks), at: item.file.path, item.mode)
    }
  }

  private static func isSmall(_ file: FileEntry) -> Bool { (file.size ?? .max) <= smallBytes }

  /// Whether all of the club comes in less time than the files that are wanted would one by one: many of them are small,
  /// and what comes for nothing is less than half of them.
  private static func isWorthIt(_ plan: ExportPlan, _ files: [FileEntry], _ reading: any FolderReading) -> Bool {
    let small = plan.items.values.map(\.file).filter(isSmall)
    let wanted = small.totalBytes
    let all = files.totalBytes
    // Folders count, too; there are no more of them than files, but for empty ones.
    return small.count >= fewFiles && 2 * files.count <= reading.mostEntries && all <= reading.mostBytes
      && all - wanted <= wanted / 2
  }

  /// Takes what comes whole out of `rest`. Whatever breaks it off is met again by those that read what is left.
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

  /// Does something for each, some at once. A failure of one is told and hinders no other, unless it is one of all.
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
            if Task.isCancelled { throw .cancelled("The export") }
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
