import Imaging
import TestKit
import Testing

/// Metadata that ExifTool writes into random files, read by ExifTool and by `PictureHeader`.
@Suite struct ExifToolTests {
  private static let program = "/usr/bin/exiftool"

  private struct Field: Sendable {
    let tag: String
    let value: @Sendable (inout SeededNumbers) -> String
    let read: @Sendable (PictureHeader) -> String?

    init(_ tag: String, _ range: ClosedRange<Double>, _ read: @escaping @Sendable (PictureHeader) -> Double?) {
      self.tag = tag
      value = { numbers in "\((Double.random(in: range, using: &numbers) * 100).rounded() / 100)" }
      self.read = { read($0).map { "\($0)" } }
    }

    init(_ tag: String, _ values: [String], _ read: @escaping @Sendable (PictureHeader) -> String?) {
      self.tag = tag
      value = { numbers in values[numbers.below(values.count)] }
      self.read = read
    }
  }

  private static let fields = [
    Field("XMP-GPano:ProjectionType", ["equirectangular", "cylindrical"]) { $0.panorama?.projection },
    Field("XMP-GPano:UsePanoramaViewer", ["True", "False"]) { $0.panorama?.usesViewer.map { $0 ? "True" : "False" } },
    Field("XMP-GPano:PoseHeadingDegrees", 0...360) { $0.panorama?.headingDegrees },
    Field("XMP-GPano:PosePitchDegrees", -90...90) { $0.panorama?.pitchDegrees },
    Field("XMP-GPano:PoseRollDegrees", -180...180) { $0.panorama?.rollDegrees },
    Field("XMP-GPano:InitialViewHeadingDegrees", 0...360) { $0.panorama?.initialHeadingDegrees },
    Field("XMP-GPano:InitialViewPitchDegrees", -90...90) { $0.panorama?.initialPitchDegrees },
    Field("XMP-GPano:InitialViewRollDegrees", -180...180) { $0.panorama?.initialRollDegrees },
    Field("XMP-GPano:InitialHorizontalFOVDegrees", 1...180) { $0.panorama?.initialFieldOfViewDegrees },
    Field("XMP-GPano:InitialVerticalFOVDegrees", 1...180) { $0.panorama?.initialVerticalFieldOfViewDegrees },
    Field("XMP-GPano:FullPanoWidthPixels", ["8000", "9001"]) { $0.panorama?.fullSize.map { "\($0.width)" } },
    Field("XMP-GPano:FullPanoHeightPixels", ["4000", "4501"]) { $0.panorama?.fullSize.map { "\($0.height)" } },
    Field("XMP-GPano:CroppedAreaLeftPixels", ["0", "1000"]) { $0.panorama?.crop.map { "\($0.x)" } },
    Field("XMP-GPano:CroppedAreaTopPixels", ["0", "999"]) { $0.panorama?.crop.map { "\($0.y)" } },
    Field("XMP-GPano:CroppedAreaImageWidthPixels", ["7000", "1"]) { $0.panorama?.crop.map { "\($0.width)" } },
    Field("XMP-GPano:CroppedAreaImageHeightPixels", ["3000", "1"]) { $0.panorama?.crop.map { "\($0.height)" } },
    Field("IFD0:Orientation", ["1", "3", "6", "8"]) { "\($0.orientation.rawValue)" },
    Field("IFD0:Make", ["Maker", "M"]) { $0.cameraMake },
    Field("IFD0:Model", ["Model 3000 with a name"]) { $0.cameraModel },
    Field("ExifIFD:FocalLength", 1...300) { $0.focalLengthMillimetres },
    Field("ExifIFD:FocalLengthIn35mmFormat", ["26", "300"]) { header in
      header.focalLength35Millimetres.map { "\(Int($0))" }
    },
    Field("ExifIFD:ExposureTime", 0.01...60) { $0.exposure.seconds },
    Field("ExifIFD:FNumber", 1...32) { $0.exposure.aperture },
    Field("ExifIFD:ISO", ["50", "12800"]) { $0.exposure.speed.map(String.init) },
    Field("ExifIFD:LensModel", ["Lens 24-70mm f/2.8", "L"]) { $0.lens },
    Field("ExifIFD:CustomRendered", ["6"]) { $0.panoramaMark == .customRendered ? "6" : nil },
    Field("GPS:GPSImgDirection", 0...360) { $0.imageDirectionDegrees },
  ]

  private static func file(_ ending: String) throws -> [UInt8] {
    let pixels = SamplePictures.gradient(16, 8)
    if ending == "jpg" { return try Encoder.jpeg(pixels, quality: 80) }
    let png = try Encoder.png(pixels)
    return ending == "png" ? png : try HEIFPrograms.file(png, ending)
  }

  private static let endings = ["jpg", "png"] + (HEIFPrograms.areThere ? ["heic", "avif"] : [])

  @Test(arguments: endings, [1, 2, 3] as [UInt64])
  func `each field has the value that ExifTool wrote and reads`(ending: String, seed: UInt64) throws {
    var numbers = SeededNumbers(seed)
    let folder = try TemporaryFolder()
    let name = "picture.\(ending)"
    try folder.write(name, try Self.file(ending))
    // A third of the fields are missing, but for those that only count together.
    let written = Self.fields.compactMap { field -> (field: Field, value: String)? in
      if numbers.below(3) == 0, !field.tag.contains("Pixels") { return nil }
      return (field, field.value(&numbers))
    }
    let arguments = written.map { "-\($0.field.tag)=\($0.value)" }
    try run(["-n", "-q", "-overwrite_original"] + arguments + [folder.file(name)])
    let line = try run(["-n", "-T"] + Self.fields.map { "-\($0.tag)" } + [folder.file(name)])
    let seen = line.split(separator: "\n")[0].split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    let header = try PictureHeader.read(try #require(folder.bytes(name)))
    #expect(seen.count == Self.fields.count)
    for (field, theirs) in zip(Self.fields, seen) {
      let ours = field.read(header)
      if header.format.isHEIF, field.tag == "IFD0:Orientation" {
        // The container says how it is turned.
        #expect(ours == "1")
      } else if theirs == "-" {
        // Upright is the orientation of a picture that has none.
        #expect(ours == nil || field.tag == "IFD0:Orientation" && ours == "1", "\(field.tag)")
      } else if let number = Double(theirs) {
        let ours = try #require(ours.flatMap(Double.init), "\(field.tag)")
        #expect(abs(ours - number) <= 1e-6 * max(1, abs(number)), "\(field.tag)")
      } else {
        #expect(ours == theirs, "\(field.tag)")
      }
    }
    #expect(written.count == seen.count { $0 != "-" })
  }

  @Test(arguments: [
    (48.5128, 16.25, "2024:05:31 18:04:09", "+02:00"), (-33.8568, -151.2153, "1999:12:31 23:59:59", "-03:30"),
    (0.0001, -0.0001, "2026:01:01 00:00:00", "+00:00"),
  ])
  func `place and time are those that ExifTool puts together`(
    latitude: Double, longitude: Double, taken: String, zone: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("a.jpg", try Encoder.jpeg(SamplePictures.gradient(16, 8), quality: 80))
    let file = folder.file("a.jpg")
    let place = [
      "-GPSLatitude=\(abs(latitude))", "-GPSLatitudeRef=\(latitude < 0 ? "S" : "N")", "-GPSLongitude=\(abs(longitude))",
      "-GPSLongitudeRef=\(longitude < 0 ? "W" : "E")",
    ]
    try run(
      ["-n", "-q", "-overwrite_original", "-DateTimeOriginal=\(taken)", "-OffsetTimeOriginal=\(zone)"] + place + [file])
    let tags = ["-Composite:GPSLatitude", "-Composite:GPSLongitude", "-Composite:SubSecDateTimeOriginal"]
    let line = try run(["-n", "-T"] + tags + [file])
    let theirs = line.split(separator: "\n")[0].split(separator: "\t").map(String.init)
    let header = try PictureHeader.read(try #require(folder.bytes("a.jpg")))
    let position = try #require(header.position)
    #expect(abs(position.latitude - (Double(theirs[0]) ?? 0)) < 1e-7)
    #expect(abs(position.longitude - (Double(theirs[1]) ?? 0)) < 1e-7)
    let date = try #require(header.captured)
    let words = "\(date)".replacing("-", with: ":") + (date.zone ?? "")
    #expect(words == theirs[2] && words == taken + zone)
  }

  @discardableResult
  private func run(_ arguments: [String]) throws -> String {
    let outcome = try Spawn(Self.program, arguments, environment: ["LC_ALL": "C.UTF-8"]).finish()
    #expect(outcome.status == 0, "\(outcome.said)")
    return outcome.text
  }
}
