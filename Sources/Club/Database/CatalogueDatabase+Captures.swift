public import Basics
public import FileStores

/// When a photo was taken, in seconds.
public struct CaptureTime: Sendable, Hashable {
  /// Since 1970 began, as if the camera's clock showed UTC.
  public var clock: Int
  /// From UTC; nil if the file does not say.
  public var zone: Int?

  public init(clock: Int, zone: Int?) { (self.clock, self.zone) = (clock, zone) }

  /// Since 1970 began in UTC, by which photos of all cameras are in order.
  /// - Parameter offset: the zone of a camera that does not say its own.
  public func moment(offset: Int) -> Int { clock - (zone ?? offset) }

  /// The years 1 to 9999, which EXIF can name.
  static let clocks = -62_135_596_800...253_402_300_800

  /// The day where the camera was.
  public var day: CivilDate { CivilTime(secondsSince1970: clock).date }
}

/// When, where and how a photo was taken, as its header says.
public struct CaptureFacts: Sendable, Hashable {
  /// By the camera's clock.
  public var day: CivilDate?
  /// nil also for facts that an earlier version noted.
  public var taken: CaptureTime?
  /// In millionths of a degree; north and east are positive.
  public var latitude: Int?
  public var longitude: Int?
  /// The compass direction in tenths of a degree.
  public var heading: Int?
  /// A word for the picture's kind.
  public var kind: String

  public init(
    day: CivilDate?, taken: CaptureTime? = nil, latitude: Int? = nil, longitude: Int? = nil, heading: Int? = nil,
    kind: String
  ) {
    (self.day, self.taken, self.latitude, self.longitude) = (day, taken, latitude, longitude)
    (self.heading, self.kind) = (heading, kind)
  }
}

/// Facts of photos by their content, for all clubs: a photo that is moved or copied keeps them.
extension CatalogueDatabase {
  /// The photos that were noted first go beyond this number; some 80 bytes each.
  static let mostCaptures = 200_000
  /// Of one question.
  private static let mostAnswered = 2000

  static let captureSchema = """
    CREATE TABLE captures (
      number INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, year INTEGER, month INTEGER, day INTEGER, latitude INTEGER,
      longitude INTEGER, heading INTEGER, kind TEXT NOT NULL
    );
    CREATE INDEX captures_days ON captures (month, day);
    """

  static let captureTimeSchema =
    "ALTER TABLE captures ADD COLUMN taken INTEGER; ALTER TABLE captures ADD COLUMN zone INTEGER"

  private static let columns = "hash, year, month, day, latitude, longitude, heading, kind, taken, zone"

  /// Keeps the facts of a content. What is unknown now and was known before stays: the beginning of a file has fewer facts
  /// than all of it.
  public func keep(_ facts: CaptureFacts, of hash: ContentHash) throws(StoreError) {
    try keep(facts, of: hash, most: CatalogueDatabase.mostCaptures)
  }

  func keep(_ facts: CaptureFacts, of hash: ContentHash, most: Int) throws(StoreError) {
    try file.write { database in
      try database.run(
        """
        INSERT INTO captures (\(CatalogueDatabase.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (hash) DO UPDATE SET year = coalesce(excluded.year, year), month = coalesce(excluded.month, month),
          day = coalesce(excluded.day, day), latitude = coalesce(excluded.latitude, latitude),
          longitude = coalesce(excluded.longitude, longitude), heading = coalesce(excluded.heading, heading),
          kind = excluded.kind, zone = iif(excluded.taken IS NULL, zone, excluded.zone),
          taken = coalesce(excluded.taken, taken)
        """,
        [
          hash.hex, facts.day?.year, facts.day?.month, facts.day?.day, facts.latitude, facts.longitude, facts.heading,
          facts.kind, facts.taken?.clock, facts.taken?.zone,
        ])
      try database.run("DELETE FROM captures WHERE number <= (SELECT MAX(number) FROM captures) - ?", [most])
    }
  }

  public func capture(of hash: ContentHash) throws(StoreError) -> CaptureFacts? {
    try file.first(
      "SELECT \(CatalogueDatabase.columns) FROM captures WHERE hash = ?", [hash.hex]
    ).flatMap(CatalogueDatabase.capture)?.facts
  }

  /// The photos taken on a day of these years, the last noted first.
  public func captures(
    month: Int, day: Int, years: ClosedRange<Int>
  ) throws(StoreError) -> [(hash: ContentHash, facts: CaptureFacts)] {
    try file.rows(
      """
      SELECT \(CatalogueDatabase.columns) FROM captures
      WHERE month = ? AND day = ? AND year BETWEEN ? AND ? ORDER BY number DESC LIMIT ?
      """, [month, day, years.lowerBound, years.upperBound, CatalogueDatabase.mostAnswered]
    ).compactMap(CatalogueDatabase.capture)
  }

  /// When the photos of all contents were taken, as far as their headers say; nil for those that do not. Facts of an earlier
  /// version have the noon of their day.
  public func captureTimes() throws(StoreError) -> [ContentHash: CaptureTime?] {
    try file.read { database in
      var times: [ContentHash: CaptureTime?] = [:]
      for row in try database.rows("SELECT \(CatalogueDatabase.columns) FROM captures", []) {
        guard let (hash, facts) = CatalogueDatabase.capture(row) else { continue }
        let noon = facts.day.map { CivilTime($0, hour: 12, minute: 0, second: 0).secondsSince1970 }
        times[hash] = .some(facts.taken ?? noon.map { CaptureTime(clock: $0, zone: nil) })
      }
      return times
    }
  }

  /// The files of a club whose content is known to be one of these, by the bytes of their paths.
  public func files(
    withContents hashes: Set<ContentHash>, club: String
  ) throws(StoreError) -> [[UInt8]: (revision: Revision, hash: ContentHash)] {
    try file.read { database in
      var files: [[UInt8]: (revision: Revision, hash: ContentHash)] = [:]
      for row in try database.rows("SELECT path, revision, hash FROM contents WHERE club = ?", [club]) {
        guard let hash = row.values[2].text.flatMap(ContentHash.init(hex:)), hashes.contains(hash),
          let path = row.values[0].bytes, let revision = row.values[1].text
        else { continue }
        files[path] = (Revision(revision), hash)
      }
      return files
    }
  }

  /// nil for a damaged row, which is found out again.
  private static func capture(_ row: SQLRow) -> (hash: ContentHash, facts: CaptureFacts)? {
    guard let hash = row.values[0].text.flatMap(ContentHash.init(hex:)), let kind = row.values[7].text else {
      return nil
    }
    func number(_ column: Int) -> Int? { row.values[column].number.map { Int(clamping: $0) } }
    var date: CivilDate?
    if let year = number(1), let month = number(2), let day = number(3) {
      date = CivilDate(year: year, month: month, day: day)
    }
    let taken = number(8).flatMap { clock in
      CaptureTime.clocks.contains(clock)
        ? CaptureTime(clock: clock, zone: number(9).flatMap { abs($0) < 86_400 ? $0 : nil }) : nil
    }
    return (
      hash,
      CaptureFacts(
        day: date, taken: taken, latitude: number(4), longitude: number(5), heading: number(6), kind: kind)
    )
  }
}
