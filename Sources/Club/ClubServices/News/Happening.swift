public import FileStores

/// The last change of a file, or a remark on it: a row of the screen of news.
public struct Happening: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case file
    case caption
    /// The title of the walk that `thing` is.
    case walk(String)
    /// As corrected.
    case remark(String)
    /// The words of the door's link.
    case door(String)
  }

  public let time: Timestamp
  /// Of a file, where the store knows it; of a remark, as its file claims.
  public let member: String?
  /// The note or photo. Notes are at the top of the club.
  public let thing: StorePath
  public let kind: Kind

  public init(time: Timestamp, member: String?, thing: StorePath, kind: Kind) {
    (self.time, self.member, self.thing, self.kind) = (time, member, thing, kind)
  }

  /// In UTC, counted from 1970.
  var day: Int64 {
    let (days, rest) = time.seconds.quotientAndRemainder(dividingBy: 86_400)
    return rest < 0 ? days - 1 : days
  }

  /// The newest day first, and in it each member's happenings together, the newest first.
  static func ordered(_ all: [Happening], most: Int) -> [Happening] {
    let newest = all.sorted { ($1.time, $0.thing) < ($0.time, $1.thing) }.prefix(most)
    var members: [Int64: [String?]] = [:]
    for happening in newest where members[happening.day]?.contains(happening.member) != true {
      members[happening.day, default: []].append(happening.member)
    }
    func place(_ happening: Happening) -> Int { members[happening.day]?.firstIndex(of: happening.member) ?? 0 }
    return newest.enumerated().map { (place($1), $0, $1) }
      .sorted { ($1.2.day, $0.0, $0.1) < ($0.2.day, $1.0, $1.1) }
      .map(\.2)
  }
}

extension NotesService {
  private static let mostHappenings = 500
  /// Of the files with remarks, those that changed last are read.
  private static let mostTalksRead = 100
  private static let talksAtOnce = 8

  /// The newest changes and remarks of the club. A file with remarks that cannot be read is left out.
  /// - Throws: errors of a listing.
  public func happenings() async throws(StoreError) -> [Happening] {
    let (files, talks) = sorted(try await allFiles(.full))
    let newest = talks.sorted { $1.changed < $0.changed }.prefix(NotesService.mostTalksRead)
    var all = files.map(\.happening)
    for case .success(let said) in await read(Array(newest)) { all += said.map(\.happening) }
    return Happening.ordered(all, most: NotesService.mostHappenings)
  }

  /// A file with remarks on a note or photo that is there.
  struct TalkFile: Sendable {
    let file: FileEntry
    let thing: StorePath
    let changed: Timestamp
  }

  /// The files whose last change is a happening, and those with remarks.
  func sorted(_ entries: [FileEntry]) -> (files: [(file: FileEntry, happening: Happening)], talks: [TalkFile]) {
    let files = entries.filter { $0.kind == .file }
    let things = Set(files.map(\.path))
    var all: [(file: FileEntry, happening: Happening)] = []
    var talks: [TalkFile] = []
    for file in files {
      guard let changed = file.modified else { continue }
      let isPhoto = PhotoName.isShown(file.path, below: club.photosFolder)
      func add(_ thing: StorePath, _ kind: Happening.Kind) {
        all.append((file, Happening(time: changed, member: file.member, thing: thing, kind: kind)))
      }
      if let thing = Talk.thing(of: file.path), things.contains(thing) {
        talks.append(TalkFile(file: file, thing: thing, changed: changed))
      } else if let photo = Caption.photo(of: file.path), things.contains(photo) {
        add(photo, .caption)
      } else if let title = PhotosService.walkTitle(of: file.path), !file.path.parent.isRoot {
        add(file.path, .walk(title))
      } else if isPhoto || NotesService.isNote(file) {
        add(file.path, .file)
      }
    }
    return (all, talks)
  }

  /// The remarks and doors of these files, by their ids.
  func read(_ talks: [TalkFile]) async -> [Result<[(id: String, happening: Happening)], StoreError>] {
    await talks.results(atOnce: NotesService.talksAtOnce) { (talk) throws(StoreError) in
      try await self.talk(about: talk.thing, revision: talk.file.revision).happenings(
        on: talk.thing, before: talk.changed)
    }
  }
}

extension Talk {
  /// The clock of a remark's writer may be wrong, but no item is newer than its file.
  fileprivate func happenings(on thing: StorePath, before changed: Timestamp) -> [(id: String, happening: Happening)] {
    func happening(_ time: Timestamp, _ member: String, _ kind: Happening.Kind) -> Happening {
      Happening(time: min(time, changed), member: member, thing: thing, kind: kind)
    }
    return remarks.filter { !$0.isWithdrawn }.map { ($0.id, happening($0.time, $0.member, .remark($0.text))) }
      + doors.map { ($0.id, happening($0.time, $0.member, .door($0.door.label))) }
  }
}
