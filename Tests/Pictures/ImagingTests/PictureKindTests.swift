import Imaging
import Testing

@Suite struct PictureKindTests {
  @Test(arguments: [
    ("", 4000, 3000, PictureKind.flat), ("", 3840, 2160, .flat), ("", 3000, 4000, .flat), ("", 1000, 6000, .flat),
    ("", 8000, 2000, .sweep), ("", 2201, 1000, .sweep), ("", 2199, 1000, .flat),
    ("", 2000, 1000, .sphere), ("", 1998, 999, .flat), ("", 2002, 1000, .flat),
    ("ProjectionType equirectangular", 1000, 500, .sphere),
    ("ProjectionType Equirectangular", 6000, 1000, .cylinder),
    ("ProjectionType cylindrical", 6000, 1000, .cylinder),
    (
      "ProjectionType cylindrical,FullPanoWidthPixels 9000,FullPanoHeightPixels 1000,CroppedAreaLeftPixels 0,"
        + "CroppedAreaTopPixels 0,CroppedAreaImageWidthPixels 6000,CroppedAreaImageHeightPixels 1000", 6000, 1000,
      .sweep
    ),
    ("ProjectionType cubestrip", 6000, 1000, .sweep), ("ProjectionType cubestrip", 1000, 1000, .flat),
    ("UsePanoramaViewer True", 1000, 1000, .flat),
    ("ProjectionType equirectangular,UsePanoramaViewer False", 1000, 500, .flat),
    ("ProjectionType equirectangular,UsePanoramaViewer True", 1000, 500, .sphere),
  ])
  func `data come before the shape`(gpano: String, width: Int, height: Int, kind: PictureKind) throws {
    let geometry = try PanoramaSamples.geometry(width, height, gpano: gpano)
    #expect(geometry.kind == kind)
    #expect(geometry.canLookAround == (kind != .flat))
    #expect(geometry.reason.hasSuffix(".") && !geometry.reason.isEmpty)
    #expect(geometry.size == PixelSize(width: width, height: height))
  }

  @Test(arguments: [
    (0, 0, 3600, 1800, PictureKind.sphere, 360.0, 90.0, -90.0, "Its GPano data say that it covers the whole sphere."),
    (0, 400, 3600, 1000, .sphere, 360, 50, -50, "Its GPano data say that it covers 360 by 100 degrees of a sphere."),
    (0, 500, 3600, 700, .cylinder, 360, 40, -30, "Its GPano data say that it covers a full turn."),
    (900, 600, 1800, 500, .sweep, 180, 30, -20, "Its GPano data say that it covers 180 degrees of a turn."),
    (0, 0, 900, 900, .sweep, 90, 90, 0, "Its GPano data say that it covers 90 degrees of a turn."),
  ])
  func `a part of an equirectangular panorama covers its own angles`(
    left: Int, top: Int, width: Int, height: Int, kind: PictureKind, across: Double, high: Double, low: Double,
    reason: String
  ) throws {
    let geometry = try PanoramaSamples.geometry(
      width, height, gpano: PanoramaSamples.part(left, top, width, height))
    #expect(geometry.kind == kind)
    #expect(abs(geometry.horizontalDegrees - across) < 1e-9)
    #expect(abs(geometry.topPitchDegrees - high) < 1e-9 && abs(geometry.bottomPitchDegrees - low) < 1e-9)
    #expect(geometry.isFullTurn == (across == 360))
    #expect(geometry.reason == reason)
  }

  @Test func `a part's heading is the one of the whole panorama's middle`() throws {
    let part = PanoramaSamples.part(2700, 600, 900, 600) + ",PoseHeadingDegrees 10,InitialViewHeadingDegrees 150"
    let geometry = try PanoramaSamples.geometry(900, 600, gpano: part)
    // The part's middle is 135 degrees to the right of the whole's middle, which looks to 10 degrees.
    #expect(geometry.northYawDegrees.map { abs($0 + 145) < 1e-9 } == true)
    #expect(abs(geometry.initialYawDegrees - 5) < 1e-9)
  }

  @Test func `data of a picture that was cut later are not believed`() throws {
    let whole = PanoramaSamples.part(0, 0, 3600, 1800)
    #expect(try PanoramaSamples.geometry(3600, 1200, gpano: whole).kind == .sweep)
    #expect(try PanoramaSamples.geometry(1200, 1200, gpano: whole).kind == .flat)
    // A smaller copy has the same shape.
    #expect(try PanoramaSamples.geometry(901, 450, gpano: whole).kind == .sphere)
  }

  @Test func `a phone's mark makes a sweep, also where the shape is that of a sphere`() throws {
    let exif = HandmadeExif()
    let marked = HandmadeExif(more: [exif.short(0xA401, 6)])
    let geometry = PictureGeometry(try PanoramaSamples.header(4000, 2000, exif: marked))
    #expect(geometry.kind == .sweep)
    #expect(geometry.reason.contains("mark it as a panorama"))
    #expect(PictureGeometry(try PanoramaSamples.header(2000, 6000, exif: marked)).kind == .flat)
    let normal = HandmadeExif(more: [exif.short(0xA401, 1)])
    #expect(PictureGeometry(try PanoramaSamples.header(4000, 3000, exif: normal)).kind == .flat)
  }

  @Test(arguments: [(0x08E0, true), (0x0A01, false)])
  func `an entry of Samsung's trailer makes a sweep`(entry: Int, isMarked: Bool) throws {
    func little(_ value: Int, _ length: Int) -> [UInt8] { big(value, length).reversed() }
    let directory =
      Array("SEFH".utf8) + little(101, 4) + little(1, 4) + little(0, 2) + little(entry, 2) + little(20, 4)
      + little(20, 4)
    let trailer = [UInt8](repeating: 7, count: 20) + directory + little(directory.count, 4) + Array("SEFT".utf8)
    let file = HandmadeJPEG(width: 4000, height: 2000, hasData: false).bytes() + trailer
    #expect(PictureGeometry(try PictureHeader.read(file)).kind == (isMarked ? .sweep : .sphere))
    for length in file.count - trailer.count..<file.count {
      #expect(try PictureHeader.read(Array(file.prefix(length))).panoramaMark == nil)
    }
    for at in (file.count - directory.count - 8)..<file.count {
      var wrong = file
      wrong[at] = 0xFF
      _ = try PictureHeader.read(wrong)
    }
  }

  @Test func `a photo through a lens is no sphere because of its shape`() throws {
    let exif = HandmadeExif()
    let lens = HandmadeExif(more: [exif.short(0xA405, 26)])
    #expect(PictureGeometry(try PanoramaSamples.header(4000, 2000, exif: lens)).kind == .flat)
  }

  @Test func `the angle of a sweep is estimated from its shape and its lens`() throws {
    let geometry = try PanoramaSamples.geometry(6000, 2000)
    #expect(abs(geometry.topPitchDegrees - 30) < 1e-9 && abs(geometry.bottomPitchDegrees + 30) < 1e-9)
    #expect(abs(geometry.horizontalDegrees - 198.478) < 0.01)
    let long = try PanoramaSamples.geometry(30_000, 2000)
    #expect(long.horizontalDegrees == 360 && !long.isFullTurn && long.topPitchDegrees < 30)
    let exif = HandmadeExif()
    let wide = HandmadeExif(more: [exif.short(0xA405, 18)])
    let lens = PictureGeometry(try PanoramaSamples.header(6000, 2000, exif: wide))
    #expect(abs(lens.topPitchDegrees - 45) < 1e-9)
  }

  @Test(arguments: [
    ("ProjectionType equirectangular", 2000, 1000, [PictureKind.sphere, .flat, .sweep, .sphere]),
    ("", 8000, 2000, [.sweep, .flat, .cylinder, .sphere, .sweep]),
    ("", 4000, 3000, [.flat, .sweep, .flat]),
    ("", 3000, 4000, [.flat, .flat]),
    ("ProjectionType equirectangular,UsePanoramaViewer False", 1600, 800, [.flat, .sphere, .sweep, .flat]),
  ])
  func `the next kind is flat or the guess first`(
    gpano: String, width: Int, height: Int, kinds: [PictureKind]
  ) throws {
    let header = try PanoramaSamples.header(width, height, gpano: gpano)
    var seen = [PictureGeometry(header).kind]
    for _ in kinds.dropFirst() { seen.append(PictureGeometry(header, as: seen[seen.count - 1]).next) }
    #expect(seen == kinds)
  }

  @Test(arguments: PictureKind.allCases, [(4000, 3000), (8000, 1000), (65_500, 1), (1, 65_500), (1, 1)])
  func `a chosen kind has sensible angles for every shape`(kind: PictureKind, size: (Int, Int)) throws {
    let geometry = PictureGeometry(try PanoramaSamples.header(size.0, size.1), as: kind)
    #expect(geometry.kind == kind)
    #expect((0.1...360).contains(geometry.horizontalDegrees))
    #expect(geometry.bottomPitchDegrees < geometry.topPitchDegrees)
    #expect(geometry.topPitchDegrees <= 90 && geometry.bottomPitchDegrees >= -90)
    let view = LookAround(geometry, window: PixelSize(width: 80, height: 40))
    #expect(view.fieldOfViewDegrees > 0 && view.pitchDegrees.isFinite && view.yawDegrees.isFinite)
  }

  @Test func `a choice of the guessed kind keeps the picture's own angles`() throws {
    let header = try PanoramaSamples.header(1800, 500, gpano: PanoramaSamples.part(900, 600, 1800, 500))
    let (guess, same) = (PictureGeometry(header), PictureGeometry(header, as: .sweep))
    #expect(guess == same)
    let other = PictureGeometry(header, as: .sphere)
    #expect(other.horizontalDegrees == 360 && other.reason == "Shown as a sphere (your choice).")
  }

  @Test func `the compass of a sphere without a heading is the camera's direction`() throws {
    let exif = HandmadeExif()
    let direction = HandmadeExif(morePosition: [exif.rational(0x0011, 4550, 100)])
    let header = try PanoramaSamples.header(4000, 2000, exif: direction)
    #expect(header.imageDirectionDegrees == 45.5)
    #expect(PictureGeometry(header).northYawDegrees == -45.5)
    #expect(PictureGeometry(header, as: .sweep).northYawDegrees == nil)
  }

  @Test(arguments: [0, 1])
  func `lens and direction are read in both byte orders, senseless ones are left out`(order: Int) throws {
    let exif = HandmadeExif(isLittle: order == 0)
    func header(_ more: [HandmadeExif.Entry], _ position: [HandmadeExif.Entry]) throws -> PictureHeader {
      try PanoramaSamples.header(
        400, 300, exif: HandmadeExif(isLittle: order == 0, more: more, morePosition: position))
    }
    let good = try header([exif.rational(0x920A, 57, 10), exif.short(0xA405, 26)], [exif.rational(0x0011, 3595, 10)])
    #expect(good.focalLengthMillimetres == 5.7 && good.focalLength35Millimetres == 26)
    #expect(good.imageDirectionDegrees == 359.5)
    let bad = try header(
      [exif.rational(0x920A, 5, 0), exif.short(0xA405, 0)], [exif.rational(0x0011, 0xFFFF_FFFF, 1)])
    #expect(bad.focalLengthMillimetres == nil && bad.focalLength35Millimetres == nil)
    #expect(bad.imageDirectionDegrees == nil)
  }
}
