import Testing

@testable import Imaging

@Suite struct PanoramaFactsTests {
  private func facts(_ packet: String) throws -> PanoramaFacts? {
    try PictureHeader.read(HandmadeJPEG(segments: xmpSegment(packet)).bytes()).panorama
  }

  private let fields = [
    ("ProjectionType", "equirectangular"), ("FullPanoWidthPixels", "8000"), ("FullPanoHeightPixels", "4000"),
    ("CroppedAreaLeftPixels", "100"), ("CroppedAreaTopPixels", "1000"), ("CroppedAreaImageWidthPixels", "7000"),
    ("CroppedAreaImageHeightPixels", "2000.0"), ("PoseHeadingDegrees", "350.5"), ("PosePitchDegrees", "-3"),
    ("PoseRollDegrees", "1.25"), ("InitialViewHeadingDegrees", "90"), ("InitialViewPitchDegrees", "5"),
    ("InitialHorizontalFOVDegrees", "75"), ("InitialVerticalFOVDegrees", "50"), ("InitialViewRollDegrees", "-2.5"),
    ("InitialCameraDolly", "-0.5"), ("UsePanoramaViewer", "False"), ("CaptureSoftware", "Camera 1.0"),
    ("StitchingSoftware", "Stitcher"), ("FirstPhotoDate", "2012-11-07T21:03:13.465Z"),
    ("LastPhotoDate", "2012-11-07T21:04:10.897Z"), ("SourcePhotosCount", "50"), ("ExposureLockUsed", "True"),
  ]

  private var expected: PanoramaFacts {
    var facts = PanoramaFacts()
    facts.projection = "equirectangular"
    facts.fullSize = PixelSize(width: 8000, height: 4000)
    facts.crop = PixelRect(x: 100, y: 1000, width: 7000, height: 2000)
    facts.headingDegrees = 350.5
    facts.pitchDegrees = -3
    facts.rollDegrees = 1.25
    facts.initialHeadingDegrees = 90
    facts.initialPitchDegrees = 5
    facts.initialFieldOfViewDegrees = 75
    facts.initialVerticalFieldOfViewDegrees = 50
    facts.initialRollDegrees = -2.5
    facts.initialDolly = -0.5
    facts.usesViewer = false
    facts.captureSoftware = "Camera 1.0"
    facts.stitchingSoftware = "Stitcher"
    facts.firstPhotoDate = "2012-11-07T21:03:13.465Z"
    facts.lastPhotoDate = "2012-11-07T21:04:10.897Z"
    facts.sourcePhotos = 50
    facts.hasLockedExposure = true
    return facts
  }

  @Test func `GPano fields are read as attributes`() throws {
    let attributes = fields.map { "GPano:\($0.0) = '\($0.1)'" }.joined(separator: "\n")
    #expect(try facts("<rdf xmlns:GPano=\"http://ns.google.com/photos/1.0/panorama/\" \(attributes)/>") == expected)
  }

  @Test(arguments: [true, false], ["", "\u{FEFF}"])
  func `GPano fields are read in UTF-16, with and without a byte order mark`(isBig: Bool, mark: String) throws {
    let attributes = fields.map { "GPano:\($0.0)='\($0.1)'" }.joined(separator: " ")
    let packet = utf16("\(mark)<rdf title='Überall' \(attributes)/>", isBig: isBig)
    #expect(try PictureHeader.read(HandmadeJPEG(segments: xmpSegment(packet)).bytes()).panorama == expected)
    // A cut unit, and a packet that is longer than any that is read.
    #expect(
      try PictureHeader.read(HandmadeJPEG(segments: xmpSegment(Array(packet.dropLast()))).bytes()).panorama == expected)
    #expect(XMPReader.utf8(ofUTF16: utf16("<" + String(repeating: " ", count: 1 << 17), isBig: isBig)) == nil)
  }

  @Test func `GPano fields are read as elements`() throws {
    let elements = fields.map { "<GPano:\($0.0)> \($0.1)\n</GPano:\($0.0)>".replacing("\n", with: " ") }
    #expect(try facts("<rdf>" + elements.joined() + "</rdf>") == expected)
  }

  @Test(arguments: [
    "-1", "NaN", "nan", "inf", "-inf", "1e300", "0", "99999999999999999999", "12.5", "0x", "", "&big;",
    String(repeating: "9", count: 5000), "80\u{1b}[31m",
  ])
  func `senseless sizes are left out`(text: String) throws {
    let packet = "GPano:ProjectionType=\"x\" GPano:FullPanoWidthPixels=\"\(text)\" GPano:FullPanoHeightPixels=\"9\""
    let facts = try #require(try facts(packet))
    #expect(facts.fullSize == nil)
    #expect(facts.crop == nil)
  }

  @Test func `a part that leaves the whole is left out`() throws {
    let packet = fields.map { "GPano:\($0.0)=\"\($0.0 == "CroppedAreaLeftPixels" ? "1001" : $0.1)\"" }
    let facts = try #require(try facts(packet.joined(separator: " ")))
    #expect(facts.fullSize == PixelSize(width: 8000, height: 4000))
    #expect(facts.crop == nil)
  }

  @Test func `angles out of range are left out`() throws {
    let facts = try facts("GPano:ProjectionType='x' GPano:PoseHeadingDegrees='361' GPano:PosePitchDegrees='-91'")
    #expect(facts?.headingDegrees == nil)
    #expect(facts?.pitchDegrees == nil)
  }

  @Test func `a packet cut at any byte gives facts or none`() throws {
    let packet = fields.map { "<GPano:\($0.0)>\($0.1)</GPano:\($0.0)>" }.joined()
    for length in 0..<packet.utf8.count {
      let found = try facts(String(packet.prefix(length)))
      #expect(found == nil || found?.projection == nil || found?.projection == "equirectangular")
    }
    let nested = String(repeating: "<rdf:li>", count: 5000) + packet
    #expect(try facts(nested) == expected)
  }

  @Test func `other XMP says nothing about a panorama`() throws {
    #expect(try facts("<rdf dc:title='GPano'/>") == nil)
    #expect(try facts("<!DOCTYPE x [<!ENTITY a '&b;&b;'>]> &a;") == nil)
  }
}
