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
  /// The author of the version that brought a remark or door, if it is known and another one than the file claims.
  public let bringer: String?
  /// The note or photo.
  public let thing: StorePath
  public let kind: Kind

  public init(time: Timestamp, member: String?, broughtBy bringer: String? = nil, thing: StorePath, kind: Kind) {
    (self.time, self.member, self.bringer, self.thing, self.kind) = (time, member, bringer, thing, kind)
  }

  /// The name to show.
  public var claim: String? { member.map { Talk.claim(of: $0, broughtBy: bringer) } }

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

  /// The names in so many of them are compared, which asks for versions.
  private static let mostTalksChecked = 10

  /// The newest changes and remarks of the club. A file with remarks that cannot be read is left out.
  /// - Parameter early: gets them before the names in the newest files with remarks are compared, which takes requests.
  ///   Without it, names are not compared.
  /// - Throws: errors of a listing.
  public func happenings(_ early: (([Happening]) -> Void)? = nil) async throws(StoreError) -> [Happening] {
    let (files, talks) = sorted(try await allFiles(.full))
    let newest = talks.sorted { $1.changed < $0.changed }.prefix(NotesService.mostTalksRead)
    var all = files.map(\.happening)
    var said = zip(newest, await read(Array(newest))).compactMap { talk, result in
      if case .success(let said) = result { (talk: talk, said: said.map(\.happening)) } else { nil }
    }
    if let early {
      early(Happening.ordered(all + said.flatMap(\.said), most: NotesService.mostHappenings))
      for place in said.indices.prefix(NotesService.mostTalksChecked) {
        if let checked = await readChecked(said[place].talk) { said[place].said = checked.map(\.happening) }
      }
    }
    all += said.flatMap(\.said)
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
      } else if let photo = Caption.photo(of: file.path), things.contains(photo), club.notes.isPhotos(photo.bytes) {
        add(photo, .caption)
      } else if let title = PhotosService.walkTitle(of: file.path), club.notes.isPhotos(file.path.bytes) {
        add(file.path, .walk(title))
      } else if isPhoto || club.notes.isNote(file) {
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

  /// As `read`, with the names compared; nil where the store names no authors, or the comparison fails.
  func readChecked(_ talk: TalkFile) async -> [(id: String, happening: Happening)]? {
    guard talk.file.member != nil else { return nil }
    do throws(StoreError) {
      guard let checked = try await checkedTalk(about: talk.thing), checked.uncompared == nil else { return nil }
      return checked.happenings(on: talk.thing, before: talk.changed)
    } catch {
      // The news is shown all the same; the screen of remarks says why names cannot be compared.
      return nil
    }
  }
}

extension Talk {
  /// The clock of a remark's writer may be wrong, but no item is newer than its file.
  fileprivate func happenings(on thing: StorePath, before changed: Timestamp) -> [(id: String, happening: Happening)] {
    func happening(_ time: Timestamp, _ member: String, _ bringer: String?, _ kind: Happening.Kind) -> Happening {
      Happening(time: min(time, changed), member: member, broughtBy: bringer, thing: thing, kind: kind)
    }
    return remarks.filter { !$0.isWithdrawn }
      .map { ($0.id, happening($0.time, $0.member, $0.bringer, .remark($0.text))) }
      + doors.map { ($0.id, happening($0.time, $0.member, $0.bringer, .door($0.door.label))) }
  }
}
