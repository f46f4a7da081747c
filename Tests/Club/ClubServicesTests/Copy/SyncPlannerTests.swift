import Database
import FileStores
import Testing

@testable import ClubServices

/// The decisions of a club with a local copy.
@Suite struct SyncPlannerTests {
  private func entry(_ name: String, _ revision: String = "1", hash: String? = nil) throws -> FileEntry {
    FileEntry(
      path: try StorePath(name), kind: .file, size: 1, revision: Revision(revision),
      contentHash: hash.map { ContentHash(of: $0.utf8) })
  }

  private func tree(_ count: Int) throws -> [StorePath: FileEntry] {
    var tree: [StorePath: FileEntry] = [:]
    for number in 0..<count {
      let entry = try entry("n\(number).md", hash: "text \(number)")
      tree[entry.path] = entry
    }
    return tree
  }

  @Test(arguments: [
    (1, 1, false), (4, 4, false), (5, 20, false), (5, 19, true), (20, 1000, false), (21, 1000, true), (6, 6, true),
  ])
  func `a removal of more than 20 files or a quarter of the club is suspicious`(count: Int, total: Int, is it: Bool) {
    #expect(SyncPlanner.isSuspicious(removing: count, of: total) == it)
  }

  @Test func `renamed files are not removed files`() throws {
    let base = try tree(30)
    let listing = try base.values.map {
      try entry("moved-\($0.path)", hash: "text \($0.path.description.dropFirst().dropLast(3))")
    }
    let plan = SyncPlanner.plan(listing: listing, of: { _ in true }, base: base, held: [])
    #expect(plan.held.isEmpty && plan.lost.count == 30 && plan.present.count == 30)
  }

  @Test func `an empty listing holds everything`() throws {
    let plan = SyncPlanner.plan(listing: [], of: { _ in true }, base: try tree(8), held: [])
    #expect(plan.held.count == 8 && plan.lost.isEmpty)
  }

  @Test(arguments: [false, true])
  func `held files stay held, however often the store says that they are gone`(isListing: Bool) throws {
    let base = try tree(8)
    let paths = base.keys.sorted()
    let plan =
      isListing
      ? SyncPlanner.plan(listing: [], of: { _ in true }, base: base, held: Set(paths))
      : SyncPlanner.plan(changes: paths.map { .absent($0) }, of: { _ in true }, base: base, held: Set(paths))
    #expect(plan == SyncPlanner.Plan())
  }

  @Test func `files that go a few at a time are held with those before them`() throws {
    let base = try tree(100)
    let paths = base.keys.sorted()
    let gone = paths[20..<23].map { ChangeSet.Change.absent($0) }
    let plan = SyncPlanner.plan(changes: gone, of: { _ in true }, base: base, held: Set(paths[..<20]))
    #expect(plan.held == Array(paths[20..<23]) && plan.lost.isEmpty)
    let alone = SyncPlanner.plan(changes: gone, of: { _ in true }, base: base, held: [])
    #expect(alone.held.isEmpty && alone.lost == Array(paths[20..<23]))
  }

  @Test func `a held file that the store has again is present, though it is as before`() throws {
    let base = try tree(3)
    let entry = try #require(base[try StorePath("n1.md")])
    let held: Set<StorePath> = [entry.path]
    let listed = SyncPlanner.plan(listing: Array(base.values), of: { _ in true }, base: base, held: held)
    #expect(listed.present == [entry] && listed.held.isEmpty && listed.lost.isEmpty)
    let changed = SyncPlanner.plan(changes: [.present(entry)], of: { _ in true }, base: base, held: held)
    #expect(changed.present == [entry])
  }

  @Test(arguments: [
    // Nothing of it, or of others only.
    ("", false), ("+g/b.md -g/a.md", false), ("+g -a.md", false),
    // The file itself, also if it was away meanwhile.
    ("+f/a.md", true), ("-f/a.md +f/a.md", true),
  ])
  func `a file of a late answer stays if the next changes name it`(changes: String, stays: Bool) throws {
    let late = try entry("f/a.md")
    let base = [late.path: late]
    let changes = try changes.split(separator: " ").map { word -> ChangeSet.Change in
      let name = String(word.dropFirst())
      return word.hasPrefix("+") ? .present(try entry(name)) : .absent(try StorePath(name))
    }
    var plan = SyncPlanner.plan(changes: changes, of: { _ in true }, base: base, held: [])
    SyncPlanner.settle(base, asked: base, by: changes, base: base, &plan)
    #expect(plan.lost.contains(late.path) != stays)
    #expect(plan.present.contains(late) == stays)
  }

  @Test(arguments: [("", false), ("x.md", false), ("f/a.md", true)])
  func `changes that were asked for before a late answer came remove nothing of it, and can tell that it is there`(
    named: String, isSettled: Bool
  ) throws {
    let late = try entry("f/a.md")
    let base = [late.path: late]
    let changes = try [named].filter { !$0.isEmpty }.map { ChangeSet.Change.present(try entry($0)) }
    var plan = SyncPlanner.plan(changes: changes, of: { $0 == late.path }, base: base, held: [])
    SyncPlanner.settle(base, asked: [:], by: changes, base: base, &plan)
    #expect(plan == SyncPlanner.Plan(present: isSettled ? [late] : []))
  }

  @Test(
    arguments: [
      // A file that is known, one of the same answer, and one that came while the changes were asked for.
      ("known", ["f", "f/s"], []), ("asked", [], ["f/s/a.md", "f/s", "f"]), ("late", [], []),
      // The changes name it: it is there, or gone.
      ("+", ["f/s/a.md", "f/s", "f"], []), ("-", [], ["f/s/a.md", "f/s", "f"]),
    ] as [(String, [String], [String])])
  func `a folder of a late answer stays with a file in it, goes with the last one, and waits for one that is unsure`(
    file: String, present: [String], lost: [String]
  ) throws {
    let folders = try ["f", "f/s"].map { FileEntry(path: try StorePath($0), kind: .folder) }
    let late = try entry("f/s/a.md")
    let asked = Dictionary(uniqueKeysWithValues: (folders + (file == "asked" ? [late] : [])).map { ($0.path, $0) })
    let base = asked.merging([late.path: late]) { $1 }
    let changes: [ChangeSet.Change] = ["+": [.present(late)], "-": [.absent(late.path)]][file] ?? []
    var plan = SyncPlanner.plan(changes: changes, of: { _ in true }, base: base, held: [])
    SyncPlanner.settle(file == "known" ? asked : base, asked: asked, by: changes, base: base, &plan)
    func names(_ paths: [StorePath]) -> [String] { paths.map { "\($0)" }.sorted() }
    #expect(names(plan.present.map(\.path)) == present.sorted() && names(plan.lost) == lost.sorted())
  }

  @Test func `the last change of a path counts`() throws {
    let base = try tree(3)
    let path = try StorePath("n1.md")
    let newer = try entry("n1.md", "2")
    let plan = SyncPlanner.plan(
      changes: [.absent(path), .present(newer)], of: { _ in true }, base: base, held: [])
    #expect(plan.present == [newer] && plan.lost.isEmpty)
    let gone = SyncPlanner.plan(changes: [.present(newer), .absent(path)], of: { _ in true }, base: base, held: [])
    #expect(gone.present.isEmpty && gone.lost == [path])
  }

  private func change(
    _ kind: ChangeRecord.Kind, _ path: String, to target: String? = nil, id: Int64 = 1, isTried: Bool = false
  ) throws -> ChangeRecord {
    var change = ChangeRecord(
      club: "c", kind: kind, path: try StorePath(path), target: try target.map { try StorePath($0) },
      base: Revision("1"), baseHash: nil, size: 1, created: Timestamp(seconds: 0))
    change.isTried = isTried
    return change.numbered(id)
  }

  @Test func `names lead there and back through several changes`() throws {
    let names = WaitingNames([
      try change(.rename, "a.md", to: "b.md", id: 1), try change(.rename, "c.md", to: "a.md", id: 2),
      try change(.trash, "b.md", id: 3),
    ])
    #expect(names.shown(try StorePath("a.md")) == nil)
    #expect(names.shown(try StorePath("c.md")) == (try StorePath("a.md")))
    #expect(names.origin(of: try StorePath("a.md")) == .at(try StorePath("c.md")))
    #expect(names.origin(of: try StorePath("b.md")) == .none)
    #expect(names.origin(of: try StorePath("c.md")) == .none)
  }

  @Test func `only an untried rename is taken back`() throws {
    let (a, b) = (try StorePath("a.md"), try StorePath("b.md"))
    let waiting = [try change(.rename, "a.md", to: "b.md")]
    #expect(SyncPlanner.takenBack(renaming: b, to: a, among: waiting)?.id == 1)
    #expect(SyncPlanner.takenBack(renaming: b, to: try StorePath("c.md"), among: waiting) == nil)
    let tried = [try change(.rename, "a.md", to: "b.md", isTried: true)]
    #expect(SyncPlanner.takenBack(renaming: b, to: a, among: tried) == nil)
  }

  @Test func `a failed request is judged by what the store has`() throws {
    let rename = try change(.rename, "a.md", to: "b.md")
    let there = try entry("b.md", "1")
    let other = FileEntry(path: try StorePath("b.md"), kind: .file, size: 9, revision: Revision("7"))
    func verdict(_ kind: StoreError.Kind, _ at: FileEntry?, tried: Bool) -> SyncPlanner.Verdict {
      SyncPlanner.verdict(of: rename, failedWith: kind, atTarget: at, wasTried: tried)
    }
    #expect(verdict(.offline, nil, tried: true) == .waits)
    #expect(verdict(.notFound, there, tried: true) == .done)
    #expect(verdict(.notFound, there, tried: false) == .refused)
    #expect(verdict(.exists, other, tried: true) == .refused)
    let trash = try change(.trash, "a.md")
    #expect(SyncPlanner.verdict(of: trash, failedWith: .notFound, atTarget: nil, wasTried: false) == .done)
    #expect(SyncPlanner.verdict(of: trash, failedWith: .conflict, atTarget: nil, wasTried: false) == .refused)
    let restore = try change(.restore, "b.md")
    func restored(_ at: FileEntry?, tried: Bool) -> SyncPlanner.Verdict {
      SyncPlanner.verdict(of: restore, failedWith: .notFound, atTarget: at, wasTried: tried)
    }
    #expect(restored(there, tried: true) == .done)
    #expect(restored(there, tried: false) == .refused)
    #expect(restored(nil, tried: true) == .refused)
  }

  @Test(arguments: [StoreError.Kind.offline, .rateLimited, .server, .cancelled, .notSignedIn, .quota])
  func `a change waits while the store does not take it for now`(kind: StoreError.Kind) throws {
    for change in [try change(.rename, "a.md", to: "b.md"), try change(.trash, "a.md"), try change(.restore, "a.md")] {
      for tried in [false, true] {
        #expect(SyncPlanner.verdict(of: change, failedWith: kind, atTarget: nil, wasTried: tried) == .waits)
      }
    }
  }

  @Test func `a change that the store does not permit is refused, unless an earlier request has arrived`() throws {
    let other = FileEntry(path: try StorePath("b.md"), kind: .file, size: 9, revision: Revision("7"))
    let (rename, trash) = (try change(.rename, "a.md", to: "b.md"), try change(.trash, "a.md"))
    let (restore, there) = (try change(.restore, "a.md"), try entry("a.md", "1"))
    func verdict(_ change: ChangeRecord, _ at: FileEntry?, tried: Bool = true) -> SyncPlanner.Verdict {
      SyncPlanner.verdict(of: change, failedWith: .notPermitted, atTarget: at, wasTried: tried)
    }
    for change in [rename, trash, restore] {
      for found in [nil, there] { #expect(verdict(change, found, tried: false) == .refused) }
    }
    #expect(verdict(rename, there) == .done && verdict(rename, other) == .refused && verdict(rename, nil) == .refused)
    #expect(verdict(trash, nil) == .done && verdict(trash, there) == .refused)
    #expect(verdict(restore, there) == .done && verdict(restore, nil) == .refused)
  }
}
