import Basics
import Database
import FileStores
import Merge
import TestKit

@testable import ClubServices

/// A server of the simulation: files, every version that there ever was, and the log of changes.
struct SimulatedServer {
  struct File: Equatable {
    var text: [UInt8]
    var revision: Int
    var author: Int
    /// The same under every name and with every text.
    var identity: Int
  }

  private(set) var files: [StorePath: File] = [:]
  /// They stay when their last file goes.
  private(set) var folders: Set<StorePath> = []
  private(set) var history: [Int: [UInt8]] = [:]
  /// The file of each revision.
  private(set) var identities: [Int: Int] = [:]
  /// The file whose text a conflicted copy keeps, by the copy's identity.
  private(set) var originals: [Int: Int] = [:]
  private(set) var log: [StorePath] = []
  /// Cursors before this place must list anew.
  private(set) var floor = 0
  private var lastRevision = 0
  /// True if a rename gives a file a new revision, as some servers do.
  let renamesRevise: Bool

  init(renamesRevise: Bool) { self.renamesRevise = renamesRevise }

  mutating func put(_ text: [UInt8], at path: StorePath, over base: Int?, by author: Int) -> StoreError.Kind? {
    if let base {
      guard let there = files[path], there.revision == base else { return .conflict }
    } else if files[path] != nil {
      return .exists
    }
    store(text, path, author, files[path]?.identity)
    return nil
  }

  /// Keeps a text of the file with the identity beside it, as a conflicted copy.
  mutating func keep(_ text: [UInt8], at copy: StorePath, of identity: Int?, by author: Int) {
    guard put(text, at: copy, over: nil, by: author) == nil, let made = files[copy]?.identity else { return }
    originals[made] = identity
  }

  /// True if both files are one, or copies of one: a text of the one then goes on in the other.
  func areKin(_ one: Int, _ other: Int) -> Bool {
    func original(_ identity: Int) -> Int { originals[identity].map(original) ?? identity }
    return original(one) == original(other)
  }

  private mutating func store(_ text: [UInt8], _ path: StorePath, _ author: Int, _ identity: Int?) {
    lastRevision += 1
    let identity = identity ?? lastRevision
    makeFolders(of: path)
    files[path] = File(text: text, revision: lastRevision, author: author, identity: identity)
    history[lastRevision] = text
    identities[lastRevision] = identity
    log.append(path)
  }

  mutating func move(_ path: StorePath, to target: StorePath) -> StoreError.Kind? {
    guard let file = files[path] else { return .notFound }
    guard files[target] == nil else { return .exists }
    files[path] = nil
    log.append(path)
    put(file, at: target)
    return nil
  }

  private mutating func put(_ file: File, at target: StorePath) {
    if renamesRevise { return store(file.text, target, file.author, file.identity) }
    makeFolders(of: target)
    files[target] = file
    log.append(target)
  }

  private mutating func makeFolders(of path: StorePath) {
    var folder = path.parent
    while !folder.isRoot, folders.insert(folder).inserted {
      log.append(folder)
      folder = folder.parent
    }
  }

  mutating func move(folder: StorePath, to target: StorePath) -> StoreError.Kind? {
    guard folders.contains(folder) else { return .notFound }
    guard !folders.contains(target), files[target] == nil else { return .exists }
    for path in folders where path.moved(with: folder, to: target) != nil { folders.remove(path) }
    log.append(folder)
    makeFolders(of: target.descending(Array("x".utf8)[...]))
    for (path, file) in files.sorted(by: { $0.key < $1.key }) {
      guard let new = path.moved(with: folder, to: target) else { continue }
      files[path] = nil
      log.append(path)
      put(file, at: new)
    }
    return nil
  }

  /// All that is in a folder, and the folder; empty without it.
  func contents(of folder: StorePath) -> [FileEntry] {
    listing.filter { $0.path == folder || $0.path.relative(to: folder) != nil }
  }

  mutating func trash(_ path: StorePath, revision: Int?) -> StoreError.Kind? {
    guard let file = files[path] else { return .notFound }
    if let revision, file.revision != revision { return .conflict }
    files[path] = nil
    log.append(path)
    return nil
  }

  /// It restarts and knows no earlier cursor.
  mutating func forgetChanges() { floor = log.count + 1 }

  func entry(at path: StorePath) -> FileEntry? {
    files[path].map { entry(path, $0) } ?? (folders.contains(path) ? FileEntry(path: path, kind: .folder) : nil)
  }

  private func entry(_ path: StorePath, _ file: File) -> FileEntry {
    FileEntry(
      path: path, kind: .file, size: UInt64(file.text.count), revision: Revision(String(file.revision)),
      contentHash: ContentHash(of: file.text), member: "m\(file.author)")
  }

  var listing: [FileEntry] {
    let all = files.map { entry($0.key, $0.value) } + folders.map { FileEntry(path: $0, kind: .folder) }
    return all.sorted { $0.path < $1.path }
  }

  /// The changes since a cursor; nil if it is lost.
  func changes(since cursor: Int) -> [ChangeSet.Change]? {
    guard cursor >= floor || floor == 0, cursor <= log.count else { return nil }
    return log[cursor...].map { path in entry(at: path).map { .present($0) } ?? .absent(path) }
  }
}

/// A member's machine: a copy that a crash may set back, and an outbox that it may not.
struct SimulatedClient {
  struct Save {
    var id: Int
    var path: StorePath
    var base: Int?
    var baseText: [UInt8]
    var text: [UInt8]
    /// Texts that this one was made from.
    var ancestors: [[UInt8]]
    /// The file that the member edited; nil for a new one.
    var identity: Int?
  }

  struct Copy {
    var base: [StorePath: FileEntry] = [:]
    var held: Set<StorePath> = []
    var cursor: Int?
  }

  let number: Int
  var copy = Copy()
  /// The copy as it is on disk: a crash returns to it.
  var synced = Copy()
  /// Durable.
  var saves: [Save] = []
  var changes: [ChangeRecord] = []
  var dropped: [[UInt8]] = []
  var isConnected = true
  var lastID: Int64 = 0
  /// The files of the waiting changes, and the paths at which the server had each file, as far as the member knew.
  var decided: [Int64: Int] = [:]
  var places: [Int: Set<StorePath>] = [:]

  init(_ number: Int) { self.number = number }

  var names: WaitingNames { WaitingNames(changes) }
  var local: [StorePath: FileEntry] {
    Dictionary(uniqueKeysWithValues: names.local(copy.base).map { ($0.path, $0) })
  }

  /// All paths of notes that the member sees.
  var shown: [StorePath] {
    Set(local.values.filter { $0.kind == .file }.map(\.path)).union(saves.map(\.path)).sorted()
  }

  mutating func crash() { copy = synced }
  mutating func sync() { synced = copy }
}
