public import FileStores
internal import Synchronization

/// The facts about a file's remarks that a list shows.
public struct TalkFacts: Sendable, Hashable {
  /// Without remarks that are withdrawn.
  public let count: Int
  /// The member of the last remark in the file.
  public let last: String
  /// The file with the remarks.
  public fileprivate(set) var file: FileEntry
  /// Remarks with an `@`, and the last place of each member in the file.
  private let addressed: [Talk.Remark]
  private let lastPlaces: [String: Int]

  init(_ talk: Talk, _ file: FileEntry) {
    let remarks = talk.remarks.filter { !$0.isWithdrawn }
    count = remarks.count
    last = remarks.max { $0.place < $1.place }?.member ?? ""
    addressed = Array(remarks.filter { $0.text.contains("@") }.suffix(TalkFacts.mostAddressed))
    lastPlaces = Dictionary(remarks.map { ($0.member, $0.place) }) { max($0, $1) }
    self.file = file
  }

  private static let mostAddressed = 100

  /// True if another member mentions this one since this one's last remark.
  public func mention(_ member: String) -> Bool {
    let last = lastPlaces[member] ?? -1
    return addressed.contains { $0.member != member && $0.place > last && $0.mentions(member) }
  }
}

/// The remarks beside listed files, from listings and changes, which saves requests. Any thread may call.
final class KnownTalk: Sendable {
  private struct State {
    /// By the note or photo.
    var facts: [StorePath: TalkFacts] = [:]
    /// Files that were not read yet.
    var wanted: [StorePath: FileEntry] = [:]
    var isUsed = false
  }

  private let state = Mutex(State())

  func put(_ facts: TalkFacts, on thing: StorePath) {
    state.withLock { ($0.facts[thing], $0.wanted[thing], $0.isUsed) = (facts, nil, true) }
  }

  /// A file that was known by its name alone gets its revision.
  /// - Returns: false if the file must be read.
  func refresh(_ file: FileEntry, on thing: StorePath) -> Bool {
    state.withLock { state in
      guard let known = state.facts[thing] else { return false }
      guard let revision = file.revision else { return true }
      guard known.file.revision ?? revision == revision else { return false }
      state.facts[thing]?.file = file
      return true
    }
  }

  func want(_ files: [FileEntry]) {
    for file in files {
      guard let thing = Talk.thing(of: file.path), !refresh(file, on: thing) else { continue }
      state.withLock { ($0.wanted[thing], $0.isUsed) = (file, true) }
    }
  }

  func remove(_ file: StorePath) {
    guard let thing = Talk.thing(of: file) else { return }
    state.withLock { ($0.facts[thing], $0.wanted[thing]) = (nil, nil) }
  }

  /// Forgets the files that a whole listing did not have.
  func keep(_ files: Set<StorePath>) {
    state.withLock { state in
      state.facts = state.facts.filter { files.contains($0.value.file.path) }
      state.wanted = state.wanted.filter { files.contains($0.value.path) }
    }
  }

  /// Reads the wanted files, at most a thousand at a time. A file that cannot be read has no facts; opening it names the reason.
  /// - Returns: nil if there never was a file with remarks.
  func facts(_ club: Club) async -> [StorePath: TalkFacts]? {
    let wanted = state.withLock { $0.wanted }.sorted { $0.key < $1.key }.prefix(KnownTalk.mostRead)
    let read = await Array(wanted).results(atOnce: KnownTalk.readAtOnce) { (wanted) throws(StoreError) in
      let (bytes, entry) = try await club.talkFile(wanted.value.path, revision: wanted.value.revision)
      return TalkFacts(Talk(bytes), entry.flatMap { $0.revision == nil ? nil : $0 } ?? wanted.value)
    }
    return state.withLock { state in
      // A file that has changed or gone meanwhile is another one.
      for ((thing, file), result) in zip(wanted, read) where state.wanted[thing] == file {
        switch result {
        case .success(let facts): (state.facts[thing], state.wanted[thing]) = (facts, nil)
        case .failure(let error) where error.isTemporary || error.kind == .cancelled: break
        case .failure: state.wanted[thing] = nil
        }
      }
      return state.isUsed ? state.facts : nil
    }
  }

  /// The files with remarks, also those that were not read yet.
  var files: [FileEntry] { state.withLock { $0.facts.values.map(\.file) + $0.wanted.values } }

  private static let mostRead = 1000
  private static let readAtOnce = 8
}
