public import Basics
internal import Database
public import FileStores
public import Imaging
internal import Synchronization

/// A photo that was taken on a day of this name in an earlier year.
public struct OnThisDay: Sendable, Hashable {
  public let photo: StorePath
  public let years: Int
  /// The caption on one line, else the name without its ending.
  public let title: String
  /// The member of the file's version, where the store knows.
  public let member: String?
  public let kind: PictureKind
  /// Photos of the club that were taken on such a day, too.
  public let others: Int

  public init(photo: StorePath, years: Int, title: String, member: String?, kind: PictureKind, others: Int = 0) {
    (self.photo, self.years, self.title) = (photo, years, title)
    (self.member, self.kind, self.others) = (member, kind, others)
  }

  /// `3 years ago: ray's lighthouse (360)`
  public var sentence: String {
    let when = years == 1 ? "1 year ago" : "\(years) years ago"
    let form =
      switch kind {
      case .flat: ""
      case .sweep: " (sweep)"
      case .cylinder, .sphere: " (360)"
      }
    let rest = others == 0 ? "" : others == 1 ? ", and one more" : ", and \(others) more"
    return "\(when): \(member.map { "\($0)'s " } ?? "")\(title)\(form)\(rest)"
  }

  /// Cameras without a clock that was set write the years before it.
  static let firstYear = 1990

  /// The day of a moment in a zone that is so many seconds from UTC.
  public static func day(of moment: Timestamp, offset: Int) -> CivilDate {
    CivilTime(secondsSince1970: Int(moment.seconds) + offset).date
  }

  /// The days whose photos are remembered today: in years without a 29 February, its photos are on the 28th.
  static func days(_ today: CivilDate) -> [(month: Int, day: Int)] {
    let isLast = today.month == 2 && today.day == 28 && CivilDate.days(inMonth: 2, of: today.year) == 28
    return [(today.month, today.day)] + (isLast ? [(2, 29)] : [])
  }
}

extension PhotosService {
  private static let mostTitleLetters = 60
  private static let mostNoted = 50_000

  /// Keeps the facts of a header that was read. The catalogue is expendable: without it, no photo is remembered.
  func note(_ header: PictureHeader, of content: ContentHash) async {
    let isNew = noted.withLock { noted in
      if noted.count >= PhotosService.mostNoted { noted.removeAll() }
      return noted.insert(content).inserted
    }
    guard isNew else { return }
    let catalogue = thumbnails.catalogue
    await pool.run {
      do throws(StoreError) {
        let facts = CaptureFacts(header)
        if try catalogue.capture(of: content) != facts { try catalogue.keep(facts, of: content) }
      } catch {
        _ = self.noted.withLock { $0.remove(content) }
      }
    }
  }

  /// A listed photo that was taken on this day in an earlier year, as far as headers were read: a panorama before a flat
  /// picture, then the oldest.
  public func onThisDay(_ today: CivilDate) async -> OnThisDay? {
    guard today.year > OnThisDay.firstYear else { return nil }
    let (catalogue, club, known) = (thumbnails.catalogue, club, known)
    let found = await pool.run { () -> [(entry: FileEntry, facts: CaptureFacts)] in
      do throws(StoreError) {
        var taken: [ContentHash: CaptureFacts] = [:]
        for (month, day) in OnThisDay.days(today) {
          let years = OnThisDay.firstYear...(today.year - 1)
          for (hash, facts) in try catalogue.captures(month: month, day: day, years: years) { taken[hash] = facts }
        }
        guard !taken.isEmpty else { return [] }
        return try PhotosService.matched(known.all, with: taken, club, catalogue).compactMap { entry, facts in
          facts.map { (entry, $0) }
        }
      } catch {
        return []
      }
    }
    let ordered = found.sorted { PhotosService.rank($0) < PhotosService.rank($1) }
    guard let (entry, facts) = ordered.first, let day = facts.day else { return nil }
    return OnThisDay(
      photo: entry.path, years: today.year - day.year, title: await title(of: entry.path), member: entry.member,
      kind: PictureKind(rawValue: facts.kind) ?? .flat, others: ordered.count - 1)
  }

  private static func rank(_ photo: (entry: FileEntry, facts: CaptureFacts)) -> (Int, Int, StorePath) {
    let isFlat = [PictureKind.flat, .sweep].firstIndex { $0.rawValue == photo.facts.kind }.map { 2 - $0 } ?? 0
    return (isFlat, photo.facts.day?.year ?? 0, photo.entry.path)
  }

  /// A caption that cannot be read is no title; opening it names the reason.
  private func title(of photo: StorePath) async -> String {
    do throws(StoreError) {
      if let caption = try await caption(of: photo), !caption.line.isEmpty {
        let line = caption.line
        let cut = line.prefix(PhotosService.mostTitleLetters)
        return cut.count < line.count ? "\(cut)..." : line
      }
    } catch {
      return Door.label(of: photo)
    }
    return Door.label(of: photo)
  }
}

extension CaptureFacts {
  fileprivate init(_ header: PictureHeader) {
    func scaled(_ value: Double?, _ scale: Double) -> Int? { value.map { Int(($0 * scale).rounded()) } }
    self.init(
      day: header.captured.map { CivilDate(year: $0.year, month: $0.month, day: $0.day) },
      taken: header.captured.map { CaptureTime(clock: $0.secondsByClock, zone: $0.secondsFromUTC) },
      latitude: scaled(header.position?.latitude, 1e6), longitude: scaled(header.position?.longitude, 1e6),
      heading: scaled(header.panorama?.headingDegrees ?? header.imageDirectionDegrees, 10),
      kind: PictureGeometry(header).kind.rawValue)
  }
}
