import Imaging
import Testing

@Suite struct PictureHeaderTests {
  @Test func `the encoders' files tell their size and format`() throws {
    let pixels = SamplePictures.gradient(40, 24)
    let files: [(PictureFormat, [UInt8])] = [
      (.jpeg, try Encoder.jpeg(pixels, quality: 85)), (.png, try Encoder.png(pixels)),
      (.webp, try Encoder.webP(pixels, quality: 80)), (.webp, try Encoder.webP(pixels, quality: nil)),
    ]
    for (format, file) in files {
      let header = try PictureHeader.read(file)
      #expect(header.format == format)
      #expect(header.storedSize == PixelSize(width: 40, height: 24))
      #expect(header.size == header.storedSize)
      #expect(!header.isProgressive)
      #expect(header.thumbnail == nil && header.panorama == nil && !header.hasPosition)
    }
  }

  @Test func `a progressive JPEG, one with a scan a colour, and an interlaced PNG say so`() throws {
    let pixels = SamplePictures.gradient(16, 16)
    #expect(try PictureHeader.read(Encoder.jpeg(pixels, quality: 85, isProgressive: true)).isProgressive)
    #expect(try PictureHeader.read(HandmadeJPEG(values: [1, 2, 3], hasScanEach: true).bytes()).isProgressive)
    #expect(try !PictureHeader.read(HandmadeJPEG(values: [1, 2, 3]).bytes()).isProgressive)
    #expect(try PictureHeader.read(HandmadePNG(width: 3, height: 3, isInterlaced: true).bytes()).isProgressive)
  }

  @Test(arguments: [true, false])
  func `EXIF facts are read in both byte orders`(isLittle: Bool) throws {
    let thumbnail = try Encoder.jpeg(SamplePictures.gradient(32, 8), quality: 80)
    let exif = HandmadeExif(
      isLittle: isLittle, orientation: 6, make: "Ricoh", model: "Theta \u{1b}[31mX ", taken: "2024:05:31 18:04:09",
      hasPosition: true, thumbnail: thumbnail)
    let file = insert(exif.segment(), into: try Encoder.jpeg(SamplePictures.gradient(64, 16), quality: 80))
    let header = try PictureHeader.read(file)
    #expect(header.orientation == .quarterRight)
    #expect(header.size == PixelSize(width: 16, height: 64))
    #expect(header.cameraMake == "Ricoh")
    #expect(header.cameraModel == "Theta [31mX")
    #expect(header.captured?.description == "2024-05-31 18:04:09")
    #expect(header.hasPosition)
    let range = try #require(header.thumbnail)
    #expect(Array(file[range]) == thumbnail)
  }

  @Test(arguments: [true, false])
  func `the place is read as degrees, south and west below zero, and one beyond the globe is none`(
    isLittle: Bool
  ) throws {
    func position(_ south: Bool, _ degrees: Int) throws -> PicturePosition? {
      var exif = HandmadeExif(isLittle: isLittle)
      func angle(_ tag: Int, _ degrees: Int, _ minutes: Int, _ seconds: Int) -> HandmadeExif.Entry {
        let value = [degrees, minutes, seconds].flatMap { exif.number($0, 4) + exif.number(1, 4) }
        return HandmadeExif.Entry(tag: tag, kind: 5, count: 3, value: value)
      }
      exif.morePosition = [
        exif.text(1, south ? "S" : "N"), angle(2, degrees, 30, 36), exif.text(3, "W"), angle(4, 16, 15, 0),
      ]
      let jpeg = try Encoder.jpeg(SamplePictures.gradient(8, 8), quality: 80)
      return try PictureHeader.read(insert(exif.segment(), into: jpeg)).position
    }
    #expect(try position(true, 48) == PicturePosition(latitude: -48.51, longitude: -16.25))
    #expect(try position(false, 48) == PicturePosition(latitude: 48.51, longitude: -16.25))
    #expect(try position(false, 90) == nil)
  }

  @Test func `a PNG's eXIf and XMP are read, before and behind its data`() throws {
    let packet = "XML:com.adobe.xmp\0\0\0\0\0<x GPano:ProjectionType=\"equirectangular\"/>"
    var png = HandmadePNG(width: 4, height: 2)
    png.chunks = [("eXIf", HandmadeExif(orientation: 3).bytes()), ("iTXt", Array(packet.utf8))]
    let header = try PictureHeader.read(png.bytes())
    #expect(header.orientation == .upsideDown)
    #expect(header.panorama?.isEquirectangular == true)
    let plain = try Encoder.png(SamplePictures.gradient(4, 2))
    let late = plain.dropLast(12) + HandmadePNG.chunk("eXIf", HandmadeExif(orientation: 8).bytes()) + plain.suffix(12)
    #expect(try PictureHeader.read(Array(late)).orientation == .quarterLeft)
  }

  @Test func `a PNG's compressed XMP is read, to a limit, and a broken one costs itself`() throws {
    func header(_ stream: [UInt8]) throws -> PictureHeader {
      var png = HandmadePNG(width: 4, height: 2)
      png.chunks = [("iTXt", Array("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + stream)]
      return try PictureHeader.read(png.bytes())
    }
    let packet = Array("<x GPano:ProjectionType=\"equirectangular\"/>".utf8)
    let stream = HandmadePNG.stored(packet)
    #expect(try header(stream).panorama?.isEquirectangular == true)
    let late = HandmadePNG.stored([UInt8](repeating: 0x20, count: 2 << 20) + packet)
    #expect(try header(late).panorama == nil)
    for length in 0..<stream.count {
      #expect(try header(Array(stream.prefix(length))).storedSize == PixelSize(width: 4, height: 2))
    }
  }

  @Test(
    arguments: [
      ([0x9003], "<x exif:DateTimeOriginal='2020-01-01T00:00'/>", "2024-05-31 18:04:09"),
      ([0x9004], "<x exif:DateTimeOriginal='2020-01-01T00:00'/>", "2024-06-01 10:00:00"),
      ([0x9003, 0x9004], "<x/>", "2024-05-31 18:04:09"),
      ([], "<x exif:DateTimeOriginal='2023-02-01T03:04:05.678+09:00'/>", "2023-02-01 03:04:05"),
      ([], "<exif:DateTimeOriginal>\n2023-02-01T03:04Z</exif:DateTimeOriginal>", "2023-02-01 03:04:00"),
      (
        [], "<x xmp:CreateDate='2021-01-01T00:00:01' exif:DateTimeDigitized='2022-01-01T00:00:02'/>",
        "2022-01-01 00:00:02"
      ),
      (
        [], "<x xmlns:a='http://ns.adobe.com/photoshop/1.0/' a:DateCreated='2021-12-31T23:59:58'/>",
        "2021-12-31 23:59:58"
      ),
      ([], "<x exif:DateTimeOriginal='2023-02-01' xmp:CreateDate='2023-13-01T03:04:05'/>", "2019-09-09 09:09:09"),
      ([], "<x/>", "2019-09-09 09:09:09"),
    ] as [([Int], String, String)])
  func `a photo was taken when its camera, its scanner, or its XMP says, else when it was changed`(
    tags: [Int], packet: String, expected: String
  ) throws {
    let plain = HandmadeExif()
    let tiff = [0x49, 0x49, 0x2A, 0] + plain.number(8, 4)
    func data(_ exif: Int) -> [UInt8] {
      plain.directory([plain.text(0x0132, "2019:09:09 09:09:09"), plain.long(0x8769, exif)], at: 8)
    }
    let start = 8 + data(0).count
    let taken = tags.map { plain.text($0, $0 == 0x9003 ? "2024:05:31 18:04:09" : "2024:06:01 10:00:00") }
    let exif = Array("Exif\0\0".utf8) + tiff + data(start) + plain.directory(taken, at: start)
    let segments = HandmadeJPEG.segment(0xE1, exif) + xmpSegment(packet)
    let header = try PictureHeader.read(HandmadeJPEG(segments: segments).bytes())
    #expect(header.captured?.description == expected)
  }

  @Test(
    arguments: [
      (0x9011, "+02:00", "2024-05-31 18:04:09, UTC+02:00"), (0x9011, "-03:30", "2024-05-31 18:04:09, UTC-03:30"),
      (0x9011, "   :  ", "2024-05-31 18:04:09"), (0x9011, "+25:00", "2024-05-31 18:04:09"),
      (0x9011, "+02x00", "2024-05-31 18:04:09"),
      (0x9012, "+02:00", "2024-05-31 18:04:09"),
    ])
  func `the time of a photo has the camera's zone, where EXIF has that of the same time`(
    tag: Int, zone: String, expected: String
  ) throws {
    var exif = HandmadeExif()
    exif.taken = "2024:05:31 18:04:09"
    exif.more = [exif.text(tag, zone)]
    let header = try PictureHeader.read(HandmadeJPEG(segments: exif.segment()).bytes())
    #expect(header.captured?.zoned == expected)
    #expect(header.captured?.description == "2024-05-31 18:04:09")
  }

  @Test(arguments: [
    ("2023-02-01T03:04:05.678+09:00", "2023-02-01 03:04:05, UTC+09:00"),
    ("2023-02-01T03:04Z", "2023-02-01 03:04:00, UTC+00:00"), ("2023-02-01T03:04:05", "2023-02-01 03:04:05"),
  ])
  func `the time of a photo by XMP has its zone`(date: String, expected: String) throws {
    let segments = xmpSegment("<x exif:DateTimeOriginal='\(date)'/>")
    #expect(try PictureHeader.read(HandmadeJPEG(segments: segments).bytes()).captured?.zoned == expected)
  }

  @Test func `an empty file is copied again, not converted`() {
    #expect(
      throws: ImageError(
        .notAPicture, "The file is empty.", remedy: "Copy it again from the camera or the original.")
    ) { try PictureHeader.read([UInt8]()) }
  }

  @Test func `a WebP's EXIF and XMP chunks are read`() throws {
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Array(name.utf8) + big(body.count, 4).reversed() + body + [UInt8](repeating: 0, count: body.count % 2)
    }
    let plain = try Encoder.webP(SamplePictures.gradient(10, 6), quality: 80)
    var body = Array("WEBP".utf8) + chunk("VP8X", [0x0C, 0, 0, 0, 9, 0, 0, 5, 0, 0]) + plain[12...]
    body += chunk("EXIF", HandmadeExif(orientation: 6).bytes())
    body += chunk("XMP ", Array("<GPano:ProjectionType>cylindrical</GPano:ProjectionType>".utf8))
    let file = Array("RIFF".utf8) + big(body.count, 4).reversed() + body
    let header = try PictureHeader.read(file)
    #expect(header.size == PixelSize(width: 6, height: 10))
    #expect(header.panorama?.projection == "cylindrical")
    #expect(try Decoder.decode(file).pixels.size == header.size)
  }

  @Test func `what is no picture says so, and what ends before its size is damaged`() throws {
    #expect(kind { () throws(ImageError) in try PictureHeader.read([]) } == .notAPicture)
    #expect(kind { () throws(ImageError) in try PictureHeader.read(Array("Dear club,".utf8)) } == .notAPicture)
    #expect(kind { () throws(ImageError) in try PictureHeader.read([0xFF, 0xD8, 0xFF]) } == .corrupt)
    let png = try Encoder.png(SamplePictures.gradient(4, 4))
    #expect(kind { () throws(ImageError) in try PictureHeader.read(Array(png.prefix(20))) } == .corrupt)
  }

  @Test(arguments: [(0xC3, 8, ImageError.Kind.unsupported), (0xC0, 12, .unsupported), (0xC1, 8, nil)])
  func `lossless and 12-bit JPEGs are refused by name`(frame: UInt8, precision: UInt8, expected: ImageError.Kind?) {
    let file = HandmadeJPEG(frame: frame, precision: precision).bytes()
    #expect(kind { () throws(ImageError) in try PictureHeader.read(file) } == expected)
  }

  @Test func `the prefix of a file is enough`() throws {
    let exif = HandmadeExif(orientation: 5, make: "Maker")
    let file = insert(exif.segment(), into: try Encoder.jpeg(SamplePictures.gradient(300, 200), quality: 95))
    #expect(try PictureHeader.read(Array(file.prefix(800))).cameraMake == "Maker")
  }

  @Test(arguments: [
    ("a.jpg", PictureFormat.jpeg), ("B.JPEG", .jpeg), ("x.tar.png", .png), ("b.GIF", .gif), ("é.WebP", .webp),
    ("x.JFIF", .jpeg), ("x.jpe", .jpeg), ("a.jp", nil), ("a.jpeg2", nil), ("a.HEIC", .heic), ("a.heif", .heic),
    ("a.avif", .avif), ("a.tiff", nil),
    ("jpg", nil), (".jpg", nil), ("a.jpg.", nil), ("", nil), ("a.jpg\u{301}", nil),
  ])
  func `a name tells the format by its ending`(name: String, format: PictureFormat?) {
    #expect(PictureFormat.named(name) == format)
  }
}
