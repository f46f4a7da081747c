import Database
import FileStores
import TestKit
import Testing

@testable import ClubServices

/// What the end of a change of names means for those after it.
@Suite struct SyncPlannerNamesTests {
  /// Changes as words: `a>b` is a rename, `a/>b/` that of a folder, `-a` a move to the trash, `+a` a restoration.
  private func changes(_ words: String) throws -> [ChangeRecord] {
    try words.split(separator: " ").enumerated().map { index, word in
      let parts = try word.split(separator: ">").map { part in
        try StorePath(String((part.hasSuffix("/") ? part.dropLast() : part).drop { "+-".contains($0) }))
      }
      let kind: ChangeRecord.Kind =
        word.hasPrefix("-") ? .trash : word.hasPrefix("+") ? .restore : word.hasSuffix("/") ? .moveFolder : .rename
      return ChangeRecord(
        club: "c", kind: kind, path: try #require(parts.first), target: parts.count > 1 ? parts[1] : nil,
        base: Revision("1"), baseHash: nil, size: 1, created: Timestamp(seconds: 0)
      ).numbered(Int64(index + 1))
    }
  }

  private func words(_ changes: [ChangeRecord]) -> String {
    changes.map { change in
      switch change.kind {
      case .rename: "\(change.path)>\(change.target?.description ?? "")"
      case .trash: "-\(change.path)"
      case .restore: "+\(change.path)"
      case .moveFolder: "\(change.path)/>\(change.target?.description ?? "")/"
      }
    }.joined(separator: " ")
  }

  @Test(arguments: [
    // One rename, and its texts.
    ("a>b", false, "", "b>a", "a>b"),
    ("a>b", true, "", "b>a", "a>b"),
    // The next one begins at the file's place.
    ("a>b b>c", false, "a>c", "", ""),
    ("a>b b>c c>d", false, "a>c c>d", "", ""),
    ("a>b -b", false, "-a", "", ""),
    ("a>b b>a", false, "", "", ""),
    // Without the file none of them is sent.
    ("a>b b>c", true, "", "c>a", "a>b"),
    ("a>b -b", true, "", "", "a>b"),
    ("a>b x>a b>c", true, "x>a", "", "a>b"),
    // Another file does not get a name that is kept.
    ("a>b x>a", false, "", "a>x b>a", "a>b x>a"),
    ("a>b x>a a>d", false, "x>d", "b>a", "a>b"),
    ("a>b x>a b>c", false, "a>c", "a>x", "x>a"),
    ("a>b +a", false, "", "b>a", "a>b +a"),
    ("a>b +a a>d", false, "", "b>a", "a>b +a"),
    // Two that change places.
    ("a>c b>a c>b", false, "", "a>b b>a", "a>c b>a"),
    // Other changes stay as they are.
    ("a>b x>y -z", false, "x>y -z", "b>a", "a>b"),
    ("-a x>a", false, "", "a>x", "-a x>a"),
    ("-a x>y", false, "x>y", "", "-a"),
    ("+a a>d", false, "", "", "+a"),
    ("+a -a", false, "", "", "+a"),
    // The small files beside a note or photo stay beside it, and are not spoken of.
    ("a>b a.talk.md>b.talk.md", false, "", "b.talk.md>a.talk.md b>a", "a>b"),
    ("a>b a.talk.md>b.talk.md b>c b.talk.md>c.talk.md", false, "a>c a.talk.md>c.talk.md", "", ""),
    ("a>b a.talk.md>b.talk.md b>c b.talk.md>c.talk.md", true, "", "c.talk.md>a.talk.md c>a", "a>b"),
    ("a>b x>a x.talk.md>a.talk.md", false, "", "a.talk.md>x.talk.md a>x b>a", "a>b x>a"),
    ("-a -a.talk.md", false, "", "", "-a"),
    ("+a +a.talk.md", false, "", "", "+a"),
    (
      "p/a.jpg>p/b.jpg p/a.jpg.md>p/b.jpg.md p/a.jpg.talk.md>p/b.jpg.talk.md", false, "",
      "p/b.jpg.md>p/a.jpg.md p/b.jpg.talk.md>p/a.jpg.talk.md p/b.jpg>p/a.jpg", "p/a.jpg>p/b.jpg"
    ),
    // Those of other files do not.
    ("a>b x.talk.md>y.talk.md a.md>b.md", false, "x.talk.md>y.talk.md a.md>b.md", "b>a", "a>b"),
  ])
  func `the changes after a refused one are about the same files, or are refused with it`(
    waiting: String, isGone: Bool, rest: String, texts: String, told: String
  ) throws {
    let waiting = try changes(waiting)
    let refusal = SyncPlanner.without(try #require(waiting.first), isGone: isGone, among: waiting)
    #expect(words(refusal.changes.applied(to: waiting)) == rest)
    #expect(refusal.changes.texts.files.map { "\($0)>\($1)" }.sorted().joined(separator: " ") == texts)
    let sentences = (refusal.isReported ? [waiting[0]] : []) + refusal.dropped.filter(\.isReported).map(\.change)
    #expect(words(sentences) == told)
  }

  @Test(arguments: [
    // All of a folder go together, with the small files beside theirs.
    ("-a/x -a/y -a/y.talk.md -b", 3, "-b", 0),
    ("-a/x -c -a/y q>r", 2, "-a/y q>r", 0),
    // Those that another change concerns go one by one: a name that is free no longer, a file that came again.
    ("-a x>a -b", 2, "-b", 1),
    ("-a x>a", 1, "", 0),
    ("-a +a -a", 1, "", 0),
    ("-a/x -a/y s/>a/", 1, "-a/y", 0),
    // Earlier changes do not matter: the files of a folder that was moved before go together.
    ("s/>a/ -a/x -a/y", 3, "", 1),
    // A small file stays beside its file, which comes back alone.
    ("-a -a.talk.md -b", 1, "-b", 0),
    ("x>y -a", 1, "-a", 0),
  ])
  func `moves to the trash that concern no other change are dropped together, and others one after the other`(
    waiting: String, count: Int, rest: String, left: Int
  ) throws {
    let waiting = try changes(waiting)
    let ids = waiting.prefix(count).map(\.id)
    let step = SyncPlanner.dropping(ids, among: waiting)
    #expect(step.value.count == left)
    if left == 0 { #expect(words(step.plan.applied(to: waiting)) == rest) }
  }

  @Test(arguments: [
    // The folder keeps its name, and the texts in it go back.
    ("a/>b/", false, "", "b/>a/", "a/>b/"),
    ("a/>b/", true, "", "b/>a/", "a/>b/"),
    // The next change begins at the folder's place, and one of a file in it in the folder.
    ("a/>b/ b/>c/", false, "a/>c/", "", ""),
    ("a/>b/ b/>a/", false, "", "", ""),
    ("a/>b/ b/x>b/y", false, "a/x>a/y", "b/>a/", "a/>b/"),
    ("a/>b/ b/x>q/x", false, "a/x>q/x", "b/>a/", "a/>b/"),
    ("a/>b/ q>b/q", false, "q>a/q", "b/>a/", "a/>b/"),
    ("a/>b/ -b/x", false, "-a/x", "b/>a/", "a/>b/"),
    ("a/>b/ +b/x", false, "+a/x", "b/>a/", "a/>b/"),
    ("a/>b/ b/s/>b/t/", false, "a/s/>a/t/", "b/>a/ b/t/>a/t/", "a/>b/"),
    ("a/>b/ b/s/>t/ t/x>t/y", false, "a/s/>t/ t/x>t/y", "b/>a/", "a/>b/"),
    // Without the folder none of the changes in it is sent, but others are.
    ("a/>b/ b/x>b/y", true, "", "b/>a/ b/y>a/x", "a/>b/"),
    ("a/>b/ -b/x q>b/q", true, "q>b/q", "b/>a/ b/q>b/q", "a/>b/"),
    ("a/>b/ b/>c/", true, "", "c/>a/", "a/>b/"),
    // A file in a folder that moves later, and a folder that comes into another one.
    ("s/x>s/y s/>t/ t/y>t/z", false, "s/>t/ t/x>t/z", "", ""),
    ("a/>s/a/ s/>t/ t/a/x>t/a/y", false, "s/>t/ a/x>a/y", "t/a/>a/", "a/>s/a/"),
    ("s/a/>a/ s/>t/ a/x>a/y", false, "s/>t/ t/a/x>t/a/y", "a/>t/a/", "s/a/>a/"),
    // Nothing goes into a folder that was to be another one.
    ("a/>b/ x/>a/", false, "", "a/>x/ b/>a/", "a/>b/ x/>a/"),
    ("a/>b/ x/>a/ a/n>a/m", false, "x/n>x/m", "a/>x/ b/>a/", "a/>b/ x/>a/"),
    ("a/>b/ q>a/x b/x>b/y", false, "a/x>a/y", "a/x>q b/>a/", "a/>b/ q>a/x"),
    ("a/>b/ +a/x b/x>b/y", false, "a/x>a/y", "b/>a/", "a/>b/ +a/x"),
    ("c/x>y a/>c/ y>z", false, "c/x>z", "c/>a/", "a/>c/"),
    // Other changes stay as they are.
    ("a/>b/ ab/x>ab/y -bb", false, "ab/x>ab/y -bb", "b/>a/", "a/>b/"),
  ])
  func `the changes after a refused one of a folder are about the same files, or are refused with it`(
    waiting: String, isGone: Bool, rest: String, texts: String, told: String
  ) throws {
    let waiting = try changes(waiting)
    let refusal = SyncPlanner.without(try #require(waiting.first), isGone: isGone, among: waiting)
    #expect(words(refusal.changes.applied(to: waiting)) == rest)
    let moved = refusal.changes.texts
    let names = moved.folders.map { "\($0)/>\($1)/" } + moved.files.map { "\($0)>\($1)" }
    #expect(names.sorted().joined(separator: " ") == texts)
    let sentences = (refusal.isReported ? [waiting[0]] : []) + refusal.dropped.filter(\.isReported).map(\.change)
    #expect(words(sentences) == told)
  }

  @Test func `a change that is sent under another name was never tried under it`() throws {
    var waiting = try changes("a>b b>c")
    waiting[1].isTried = true
    let refusal = SyncPlanner.without(waiting[0], isGone: false, among: waiting)
    #expect(refusal.changes.changed.map(\.isTried) == [false])
  }

  @Test func `the changes after a rename that the store has made are about the file's new revision`() throws {
    let waiting = try changes("a>b b>c x>y -c")
    let entry = FileEntry(path: try StorePath("b"), kind: .file, revision: Revision("2"))
    let rest = SyncPlanner.finished(waiting[0], as: entry, among: waiting).applied(to: waiting)
    #expect(words(rest) == "b>c x>y -c")
    #expect(rest.compactMap(\.base?.value) == ["2", "1", "2"])
  }

  @Test func `a rename that the store has made is followed into the folders that move after it`() throws {
    let waiting = try changes("a/x>a/y a/>b/ b/y>b/z a/y>a/z")
    let entry = FileEntry(path: try StorePath("a/y"), kind: .file, revision: Revision("2"))
    let rest = SyncPlanner.finished(waiting[0], as: entry, among: waiting).applied(to: waiting)
    #expect(rest.compactMap(\.base?.value) == ["1", "2", "1"])
  }

  @Test func `a later rename is about the new revision though others have written since, a removal is not`() throws {
    var waiting = try changes("a>b b>c -c")
    for index in 1...2 { waiting[index] = waiting[index].rebased(on: Revision("others'")) }
    let entry = FileEntry(path: try StorePath("b"), kind: .file, revision: Revision("2"))
    let rest = SyncPlanner.finished(waiting[0], as: entry, among: waiting).applied(to: waiting)
    #expect(rest.compactMap(\.base?.value) == ["2", "others'"])
  }

  @Test func `the changes after a folder's move are about the new revisions of what the member has seen`() throws {
    let waiting = try changes("a/>b/ b/x>b/y -b/y -b/z b/w>b/v").map { change in
      ChangeRecord(
        club: "c", kind: change.kind, path: change.path, target: change.target, base: Revision("1"),
        baseHash: ContentHash(of: Array("old".utf8)).hex, size: 3, created: Timestamp(seconds: 0)
      ).numbered(change.id)
    }
    let now = try [("b/x", "old"), ("b/z", "new"), ("b/w", "new")].map { path, text in
      FileEntry(
        path: try StorePath(path), kind: .file, size: 3, revision: Revision("2"),
        contentHash: ContentHash(of: Array(text.utf8)))
    }
    let rest = SyncPlanner.finished(waiting[0], now: now, among: waiting).applied(to: waiting)
    #expect(words(rest) == "b/x>b/y -b/y -b/z b/w>b/v")
    #expect(rest.compactMap(\.base?.value) == ["2", "2", "1", "1"])
  }

  @Test func `a folder's move is taken back only if nothing in it has changed its name since`() throws {
    func taken(_ words: String, isFolder: Bool = true) throws -> Int64? {
      SyncPlanner.takenBack(
        renaming: try StorePath("b"), to: try StorePath("a"), isFolder: isFolder, among: try changes(words))?.id
    }
    #expect(try taken("a/>b/") == 1 && taken("x>y a/>b/ q>r") == 2)
    #expect(try taken("a/>b/ b/x>b/y") == nil && taken("a/>b/ -b/x") == nil && taken("a>b") == nil)
    #expect(try taken("a>b", isFolder: false) == 1 && taken("a/>b/", isFolder: false) == nil)
    var tried = try changes("a/>b/")
    tried[0].isTried = true
    #expect(
      SyncPlanner.takenBack(
        renaming: try StorePath("b"), to: try StorePath("a"), isFolder: true, among: tried) == nil)
  }

  @Test func `a folder's move that arrived unseen is done if a file of it is at the new place, else refused`() throws {
    let change = try #require(try changes("a/>b/").first)
    let there = FileEntry(path: try StorePath("b/x"), kind: .file, size: 1, revision: Revision("1"))
    for kind in [StoreError.Kind.notFound, .exists, .notPermitted] {
      func verdict(_ file: FileEntry?, _ wasTried: Bool) -> SyncPlanner.Verdict {
        SyncPlanner.verdict(of: change, failedWith: kind, atTarget: file, wasTried: wasTried)
      }
      #expect(verdict(there, true) == .done)
      #expect(verdict(nil, true) == .refused && verdict(there, false) == .refused)
    }
    #expect(SyncPlanner.verdict(of: change, failedWith: .offline, atTarget: nil, wasTried: true) == .waits)
  }

  @Test func `a member sees the files of a moved folder there, and no others that come to its name`() throws {
    let names = WaitingNames(try changes("c/>d/ a/>b/ b/x>y"))
    var base: [StorePath: FileEntry] = [:]
    for path in ["a", "c"] { base[try StorePath(path)] = FileEntry(path: try StorePath(path), kind: .folder) }
    for path in ["a/x", "a/n", "a/s/m", "b/other", "c/1", "q"] {
      base[try StorePath(path)] = FileEntry(path: try StorePath(path), kind: .file)
    }
    #expect(names.local(base).map { "\($0.path)" } == ["b", "b/n", "b/s/m", "d", "d/1", "q", "y"])
    #expect(names.shown(try StorePath("a/s/m")) == (try StorePath("b/s/m")))
    #expect(names.shown(try StorePath("b/other")) == nil)
    #expect(names.origin(of: try StorePath("y")) == .at(try StorePath("a/x")))
    #expect(names.origin(of: try StorePath("a/n")) == .none)
    // The store has made both, and the first answer was lost.
    for path in ["c", "c/1"] { base[try StorePath(path)] = nil }
    for path in ["d", "d/1"] { base[try StorePath(path)] = FileEntry(path: try StorePath(path), kind: .file) }
    #expect(names.local(base).map { "\($0.path)" } == ["b", "b/n", "b/s/m", "d", "d/1", "q", "y"])
  }

  /// Any list of waiting changes: after a refusal no change begins at a name that only a refused one would have made, and
  /// no two files get one name.
  @Test func `after any refusal the names that the member sees are those of different files`() throws {
    var random = SeededNumbers(1)
    for _ in 0..<3000 {
      var tree: [StorePath: FileEntry] = [:]
      for name in ["a", "b", "c", "d"] {
        tree[try StorePath(name)] = FileEntry(path: try StorePath(name), kind: .file, revision: Revision(name))
      }
      var waiting: [ChangeRecord] = []
      for number in 1...(2 + random.below(6)) {
        let seen = WaitingNames(waiting).local(tree)
        guard !seen.isEmpty else { break }
        let path = seen[random.below(seen.count)].path
        let target = try StorePath(["a", "b", "c", "d", "e", "f"][random.below(6)])
        let isTrash = random.below(5) == 0
        guard isTrash || !seen.contains(where: { $0.path == target }) else { continue }
        waiting.append(
          ChangeRecord(
            club: "c", kind: isTrash ? .trash : .rename, path: path, target: isTrash ? nil : target, base: nil,
            baseHash: nil, size: 1, created: Timestamp(seconds: 0)
          ).numbered(Int64(number)))
      }
      guard let first = waiting.first else { continue }
      let isGone = random.below(3) == 0
      let rest = SyncPlanner.without(first, isGone: isGone, among: waiting).changes.applied(to: waiting)
      if isGone { tree[first.path] = nil }
      // As the store would do them, one after the other.
      var store = tree
      for change in rest {
        let file = store.removeValue(forKey: change.path)
        #expect(file != nil, "\(words(waiting)): \(words(rest)), gone \(isGone)")
        guard let target = change.target else { continue }
        #expect(store[target] == nil, "\(words(waiting)): \(words(rest)), gone \(isGone)")
        store[target] = file
      }
      let shown = WaitingNames(rest).local(tree)
      #expect(shown.map(\.path) == store.keys.sorted(), "\(words(waiting)): \(words(rest)), gone \(isGone)")
      #expect(shown.map(\.revision) == store.sorted { $0.key < $1.key }.map(\.value.revision))
    }
  }

  /// A store of a few folders and files, for the changes that are left after a refusal.
  private struct FolderTree {
    var entries: [StorePath: FileEntry] = [:]

    init() throws {
      for path in ["a", "a/s", "b", "c"] {
        entries[try StorePath(path)] = FileEntry(path: try StorePath(path), kind: .folder)
      }
      for path in ["a/x", "a/y", "a/s/x", "b/x", "x"] {
        entries[try StorePath(path)] = FileEntry(path: try StorePath(path), kind: .file, revision: Revision(path))
      }
    }

    /// Does a change as a store would.
    /// - Returns: false if it does not permit it.
    mutating func make(_ change: ChangeRecord) -> Bool {
      let target = change.target
      guard entries[change.path] != nil, target.map({ entries[$0] == nil }) ?? true else { return false }
      if change.kind == .trash { entries[change.path] = nil }
      for (path, entry) in entries {
        guard let new = change.takes(path) ?? (path == change.path ? target : nil) else { continue }
        entries[path] = nil
        entries[new] = entry.moved(to: new)
      }
      var folder = target?.parent ?? .root
      while !folder.isRoot {
        if entries[folder] == nil { entries[folder] = FileEntry(path: folder, kind: .folder) }
        folder = folder.parent
      }
      return true
    }

    var files: [FileEntry] { entries.values.filter { $0.kind == .file }.sorted { $0.path < $1.path } }
  }

  @Test func `after any refusal in folders every change left is of the file that the member meant`() throws {
    var random = SeededNumbers(1)
    let folders = ["a", "b", "c", "d", "a/s", "a/t", "d/s", "b/a"]
    for _ in 0..<6000 {
      let start = try FolderTree()
      var seen = start
      var waiting: [ChangeRecord] = []
      for _ in 0..<(2 + random.below(6)) {
        let all = seen.entries.values.sorted { $0.path < $1.path }
        let entry = all[random.below(all.count)]
        let isFolder = entry.kind == .folder
        let folder = folders[random.below(folders.count)]
        let target = try StorePath(
          isFolder ? folder : random.below(4) == 0 ? "y" : folder + ["/x", "/y", "/z"][random.below(3)])
        let isTrash = !isFolder && random.below(5) == 0
        guard isTrash || seen.entries[target] == nil && !target.touches(entry.path) else { continue }
        let change = ChangeRecord(
          club: "c", kind: isFolder ? .moveFolder : isTrash ? .trash : .rename, path: entry.path,
          target: isTrash ? nil : target, base: entry.revision, baseHash: nil, size: 1, created: Timestamp(seconds: 0)
        ).numbered(Int64(waiting.count + 1))
        guard seen.make(change) else { continue }
        waiting.append(change)
      }
      guard let first = waiting.first else { continue }
      var (store, rest, texts) = (start, waiting, [StorePath: StorePath]())
      if random.below(3) == 0 {
        for path in store.entries.keys where path.moved(with: first.path, to: .root) != nil {
          store.entries[path] = nil
        }
      }
      for file in seen.files { texts[file.path] = file.path }
      // The first one is refused, and others too that the store then does not permit.
      var refused: Int64? = first.id
      while let change = rest.first {
        let told = "\(words(waiting)) at \(words([change])), then \(words(rest))"
        let meant = store.entries[change.path]
        if change.id != refused, store.make(change) {
          #expect(change.kind == .moveFolder || meant?.revision == change.base, "\(told)")
          rest.removeFirst()
          continue
        }
        refused = nil
        let refusal = SyncPlanner.without(change, isGone: meant == nil, among: rest)
        rest = refusal.changes.applied(to: rest)
        texts = texts.mapValues { refusal.changes.texts[$0] ?? $0 }
        let shown = WaitingNames(rest).local(store.entries).filter { $0.kind == .file }
        var later = store
        if rest.allSatisfy({ later.make($0) }) {
          #expect(shown.map(\.path) == later.files.map(\.path), "\(told), left \(words(rest))")
          #expect(shown.map(\.revision) == later.files.map(\.revision), "\(told), left \(words(rest))")
        }
      }
      // A text goes where its file is, unless that is gone.
      for file in seen.files {
        guard let now = store.files.first(where: { $0.revision == file.revision }) else { continue }
        #expect(now.path == texts[file.path], "\(words(waiting)): the text of \(file.path)")
      }
    }
  }
}
