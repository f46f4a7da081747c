import Imaging
import TestKit
import Testing

/// When, where and how a picture was taken, as EXIF and GPS data say.
@Suite struct TakingTests {
  private func header(_ exif: HandmadeExif, xmp: String? = nil) throws -> PictureHeader {
    try PictureHeader.read(HandmadeJPEG(segments: exif.segment() + (xmp.map(xmpSegment) ?? [])).bytes())
  }

  @Test(
    arguments: [
      (1, 250, 18, 10, "1/250 s, f/1.8"), (1, 3, 4, 1, "0.3 s, f/4"), (5, 2, 28, 10, "2.5 s, f/2.8"),
      (30, 1, 22, 1, "30 s, f/22"), (10, 80_000, 56, 10, "1/8000 s, f/5.6"),
      (0, 1, 0, 1, ""), (1, 0, 1, 0, ""), (90_000, 1, 2000, 1, ""), (1, 4_294_967_295, 1, 4_294_967_295, ""),
    ] as [(Int, Int, Int, Int, String)], [true, false])
  func `the exposure is said as cameras say it, and what no camera has is left out`(
    row: (Int, Int, Int, Int, String), isLittle: Bool
  ) throws {
    var exif = HandmadeExif(isLittle: isLittle)
    exif.more = [exif.rational(0x829A, row.0, row.1), exif.rational(0x829D, row.2, row.3)]
    #expect(try header(exif).exposure.words == row.4)
  }

  @Test(
    arguments: [
      ([100], nil, 100), ([0], nil, nil), ([65535], 102_400, 102_400), ([65535], nil, nil), ([], 80, 80),
      ([200], 80, 200),
    ] as [([Int], Int?, Int?)])
  func `the speed is that of the field with room for it`(short: [Int], long: Int?, expected: Int?) throws {
    var exif = HandmadeExif()
    exif.more = short.map { exif.short(0x8827, $0) } + (long.map { [exif.long(0x8832, $0)] } ?? [])
    #expect(try header(exif).exposure.speed == expected)
  }

  @Test func `lens and focal lengths are read, and a field of another kind is none`() throws {
    var exif = HandmadeExif()
    exif.more = [
      exif.text(0xA434, "iPhone 15 back camera 6.765mm f/1.78"), exif.rational(0x920A, 6765, 1000),
      exif.short(0xA405, 24),
    ]
    let read = try header(exif)
    #expect(read.lens == "iPhone 15 back camera 6.765mm f/1.78")
    #expect(read.focalLengthWords == "6.8 mm (24 mm on film)")
    exif.more = [exif.long(0xA434, 7), exif.text(0x920A, "24"), exif.text(0x829A, "1/250"), exif.short(0x829D, 4)]
    let wrong = try header(exif)
    #expect(wrong.lens == nil && wrong.focalLengthWords == nil && wrong.exposure == Exposure())
  }

  @Test func `a place of nothing but zeros is none, and one that cannot be read is one`() throws {
    var exif = HandmadeExif()
    for (byte, isPlace) in [(0, false), (1, true)] as [(UInt8, Bool)] {
      exif.morePosition = [2, 4].map {
        HandmadeExif.Entry(tag: $0, kind: 5, count: 3, value: [UInt8](repeating: 0, count: 23) + [byte])
      }
      let read = try header(exif)
      #expect(read.hasPosition == isPlace && read.position == nil)
    }
  }

  private func located(_ exif: inout HandmadeExif, _ day: String, _ time: [Int]) {
    let value = time.flatMap { exif.number($0, 4) + exif.number(1, 4) }
    exif.morePosition = [HandmadeExif.Entry(tag: 7, kind: 5, count: 3, value: value), exif.text(0x1D, day)]
  }

  @Test(
    arguments: [
      ("2024:05:31 18:04:09", "2024:05:31", [16, 4, 2], "+02:00"),
      ("2024:05:31 18:04:09", "2024:05:31", [12, 19, 0], "+05:45"),
      ("2024:05:31 23:30:00", "2024:06:01", [3, 0, 0], "-03:30"),
      ("2024:01:01 00:10:00", "2023:12:31", [23, 10, 0], "+01:00"),
      // The place was found long before, the clock is wrong, or the satellites' time is none.
      ("2024:05:31 18:04:09", "2024:05:31", [15, 57, 0], nil), ("2024:05:31 18:04:09", "2019:05:31", [16, 4, 9], nil),
      ("2024:05:31 18:04:09", "2024:05:31", [24, 0, 0], nil), ("2024:05:31 18:04:09", "yesterday", [16, 4, 9], nil),
    ] as [(String, String, [Int], String?)])
  func `a time without a zone gets it from the satellites' time, if both are of one moment`(
    taken: String, day: String, time: [Int], zone: String?
  ) throws {
    var exif = HandmadeExif(taken: taken)
    located(&exif, day, time)
    #expect(try header(exif).captured?.zone == zone)
    exif.more = [exif.text(0x9011, "-08:00")]
    #expect(try header(exif).captured?.zone == "-08:00", "The camera's own zone counts.")
  }

  @Test func `without the camera's time, that of XMP counts, then that of the satellites`() throws {
    var exif = HandmadeExif()
    located(&exif, "2024:05:31", [16, 4, 9])
    #expect(try header(exif).captured?.zoned == "2024-05-31 16:04:09, UTC+00:00")
    let written = try header(exif, xmp: "<x exif:DateTimeOriginal='2024-05-31T18:04:10'/>").captured
    #expect(written?.zoned == "2024-05-31 18:04:10, UTC+02:00")
  }

  @Test(
    arguments: [
      ("2024:05:31 18:04:09", "+02:00", 1_717_178_649, 7200), ("1969:12:31 23:59:59", "-03:30", -1, -12_600),
      ("2024:02:31 00:00:00", "", 1_709_337_600, nil),
    ] as [(String, String, Int, Int?)])
  func `a time is counted by the camera's clock, and its zone in seconds`(
    taken: String, zone: String, seconds: Int, offset: Int?
  ) throws {
    var exif = HandmadeExif(taken: taken)
    exif.more = [exif.text(0x9011, zone)]
    let date = try #require(try header(exif).captured)
    #expect(date.secondsByClock == seconds && date.secondsFromUTC == offset)
  }

  @Test(arguments: [
    (48.51, -16.25, "48.51000, -16.25000"), (-0.000001, 0, "0.00000, 0.00000"), (90, -180, "90.00000, -180.00000"),
    (-33.856789, 151.215297, "-33.85679, 151.21530"),
  ])
  func `a place is said as maps read it`(latitude: Double, longitude: Double, words: String) throws {
    let position = try #require(PicturePosition(latitude: latitude, longitude: longitude))
    #expect("\(position)" == words)
  }

  @Test func `a field of these facts that is changed anywhere costs facts at most`() throws {
    var exif = HandmadeExif(taken: "2024:05:31 18:04:09")
    exif.more = [
      exif.rational(0x829A, 1, 250), exif.rational(0x829D, 18, 10), exif.short(0x8827, 100), exif.text(0xA434, "Lens"),
    ]
    located(&exif, "2024:05:31", [16, 4, 9])
    let whole = HandmadeJPEG(segments: exif.segment()).bytes()
    for at in 2..<(2 + exif.segment().count) {
      for byte in [0, 1, 0x7F, 0xFF] as [UInt8] {
        var file = whole
        file[at] = byte
        guard let header = try? PictureHeader.read(file) else { continue }
        #expect(header.exposure.words.utf8.count < 40 && (header.captured?.zoned.utf8.count ?? 0) < 40)
      }
    }
  }
}
