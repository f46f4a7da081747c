import Database
import FileStores
import TestKit
import Testing

@testable import ClubServices

/// What the end of a change of names means for those after it.
@Suite struct SyncPlannerNamesTests {
  /// Changes as words: `a>b` is a rename, `-a` a move to the trash, `+a` a restoration.
  private func changes(_ words: String) throws -> [ChangeRecord] {
    try words.split(separator: " ").enumerated().map { index, word in
      let parts = try word.split(separator: ">").map { try StorePath(String($0.drop { "+-".contains($0) })) }
      let kind: ChangeRecord.Kind = word.hasPrefix("-") ? .trash : word.hasPrefix("+") ? .restore : .rename
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
      "p/a>p/b p/a.md>p/b.md p/a.talk.md>p/b.talk.md", false, "", "p/b.md>p/a.md p/b.talk.md>p/a.talk.md p/b>p/a",
      "p/a>p/b"
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
    #expect(refusal.changes.texts.map { "\($0)>\($1)" }.sorted().joined(separator: " ") == texts)
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

  @Test func `a later rename is about the new revision though others have written since, a removal is not`() throws {
    var waiting = try changes("a>b b>c -c")
    for index in 1...2 { waiting[index] = waiting[index].rebased(on: Revision("others'")) }
    let entry = FileEntry(path: try StorePath("b"), kind: .file, revision: Revision("2"))
    let rest = SyncPlanner.finished(waiting[0], as: entry, among: waiting).applied(to: waiting)
    #expect(rest.compactMap(\.base?.value) == ["2", "others'"])
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
}
