import ClubServices
import FileStores
import Imaging
import TestKit
import Testing

@Suite struct `A photo to be looked at` {
  let workshop: PhotoWorkshop
  let service: PhotosService

  init() throws {
    workshop = try PhotoWorkshop()
    service = try workshop.service()
  }

  @Test func `comes coarse first, then whole`() async throws {
    let entry = try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg(1600, 800))
    var coarse: [PixelSize] = []
    let picture = try await service.picture(entry.path) { coarse.append($0.pixels.size) }
    #expect(coarse == [PixelSize(width: 200, height: 100)])
    #expect(picture.pixels.size == PixelSize(width: 1600, height: 800))
    #expect(picture.header.size == picture.pixels.size && !picture.isDamaged)
  }

  @Test(.enabled(if: HEIFPrograms.areThere, "libheif-examples is not installed"), arguments: [true, false])
  func `in a HEIC comes as the embedded picture first, and is decoded once without one`(isEmbedded: Bool) async throws {
    try #require(Decoder.loadHEIF())
    let png = try Encoder.png(Pixels(width: 1280, height: 960, colour: 0x2060A0))
    let entry = try await workshop.put(
      "photos/a.heic", try HEIFPrograms.file(png, "heic", isEmbedded ? ["-t", "320"] : []))
    var coarse: [PixelSize] = []
    let picture = try await service.picture(entry.path) { coarse.append($0.pixels.size) }
    #expect(coarse == (isEmbedded ? [PixelSize(width: 320, height: 240)] : []))
    #expect(picture.pixels.size == PixelSize(width: 1280, height: 960))
  }

  @Test(.enabled(if: HEIFPrograms.areThere, "libheif-examples is not installed"))
  func `in a HEIC has a thumbnail in the grid from the embedded picture`() async throws {
    try #require(Decoder.loadHEIF())
    func coded(_ colour: UInt32, _ size: PixelSize) throws -> HandmadeHEIF {
      let png = try Encoder.png(Pixels(width: size.width, height: size.height, colour: colour))
      return HandmadeHEIF(coded: try HEIFPrograms.file(png), size.width, size.height)
    }
    var file = try coded(0x20C020, PixelSize(width: 640, height: 480))
    let small = try coded(0xC02020, PixelSize(width: 320, height: 240))
    file.properties += small.properties
    file.items.append(.init(2, "hvc1", small.items[0].data, [3, 4]))
    file.references = [("thmb", 2, [1])]
    let entry = try await workshop.put("photos/a.heic", file.bytes())
    let shown = try await service.thumbnail(of: entry, maxWidth: 320, maxHeight: 320)
    #expect(shown.size == PixelSize(width: 320, height: 240) && shown.bytes[0] > 0x80)
  }

  @Test(arguments: PictureFormat.written)
  func `comes at once when it is small`(format: PictureFormat) async throws {
    let pixels = PhotoWorkshop.pixels(60, 40)
    let bytes =
      switch format {
      case .jpeg: try Encoder.jpeg(pixels, quality: 90)
      case .png: try Encoder.png(pixels)
      default: try Encoder.webP(pixels, quality: nil)
      }
    let entry = try await workshop.put("photos/a.\(format.rawValue)", bytes)
    var calls = 0
    let picture = try await service.picture(entry.path) { _ in calls += 1 }
    #expect(calls == 0)
    #expect(picture.pixels.size == pixels.size && picture.header.format == format)
  }

  @Test func `that ends early is shown as far as it goes`() async throws {
    let bytes = try PhotoWorkshop.jpeg(300, 300)
    let entry = try await workshop.put("photos/a.jpg", Array(bytes.prefix(bytes.count * 2 / 3)))
    let picture = try await service.picture(entry.path) { _ in }
    #expect(picture.isDamaged && picture.pixels.size == PixelSize(width: 300, height: 300))
  }

  @Test func `that is none says so by its name`() async throws {
    let entry = try await workshop.put("photos/a.jpg", Array("no picture".utf8))
    let fault = await photoFault { _ = try await service.picture(entry.path) { _ in } }
    #expect(fault?.kind == .corrupt && fault?.message.hasPrefix("\"a.jpg\" cannot be shown: ") == true)
    #expect(
      await photoFault { _ = try await service.picture(try StorePath("photos/b.jpg")) { _ in } }?.kind == .notFound)
  }

  @Test func `tells what is known of it`() async throws {
    let bytes = try PhotoWorkshop.jpeg()
    let entry = try await workshop.put("photos/a.jpg", bytes)
    let info = try await service.info(entry.path)
    #expect(info.contentHash == ContentHash(of: bytes))
    #expect(info.header.size == PixelSize(width: 400, height: 200))
    #expect(info.entry.size == UInt64(bytes.count))
  }

  @Test func `behind a network has its header read once, also by another process`() async throws {
    let entry = try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    for _ in 0..<2 {
      let service = try workshop.service(keeping: 1 << 20)
      try await service.list { _ in }
      #expect(try await service.header(of: entry.path).size == PixelSize(width: 400, height: 200))
      #expect(workshop.store.reads == 1)
    }
  }

  @Test func `behind a network without a header at its beginning is not asked for it again`() async throws {
    var file = try PhotoWorkshop.jpeg()
    let segment = [0xFF, 0xEF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 65_533)
    file.insert(contentsOf: Array(repeatElement(segment, count: 5).joined()), at: 2)
    let entry = try await workshop.put("photos/a.jpg", file)
    for _ in 0..<2 {
      let service = try workshop.service(keeping: 1 << 20)
      try await service.list { _ in }
      await #expect(throws: StoreError.self) { _ = try await service.header(of: entry.path) }
      #expect(workshop.store.reads == 1)
    }
  }

  @Test func `that was looked at behind a network tells its header from this machine`() async throws {
    let entry = try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    let service = try workshop.service(keeping: 1 << 20)
    try await service.list { _ in }
    _ = try await service.picture(entry.path) { _ in }
    let reads = workshop.store.reads
    #expect(try await service.header(of: entry.path).size == PixelSize(width: 400, height: 200))
    #expect(workshop.store.reads == reads)
  }

  @Test func `is read no further when nobody waits for it`() async throws {
    let entry = try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    let (latch, service) = (Gate(), service)
    workshop.store.hold { await latch.wait() }
    let asker = Task { await photoFault { _ = try await service.picture(entry.path) { _ in } } }
    await latch.arrivals(1)
    asker.cancel()
    #expect(await asker.value?.kind == .cancelled)
  }
}

extension `A photo to be looked at` {
  @Test func `that is too large for memory is read in parts, around the seam, too`() async throws {
    let service = try workshop.service(mostShownPixels: 100_000)
    let file = try PhotoWorkshop.jpeg(1600, 800)
    let entry = try await workshop.put("photos/a.jpg", file)
    let picture = try await service.picture(entry.path) { _ in }
    #expect(picture.pixels.size == PixelSize(width: 200, height: 100))
    #expect(picture.full == PixelSize(width: 1600, height: 800))
    let whole = try Decoder.decode(file).pixels
    for x in [700, -50, 1550] {
      let area = PixelRect(x: x, y: 300, width: 100, height: 40)
      let detail = try await service.detail(entry.path, DetailRequest(area: area, eighths: 8))
      #expect(detail.pixels.size == PixelSize(width: 100, height: 40))
      #expect(detail.pixels[0, 0] == whole[(x + 1600) % 1600, 300])
      #expect(detail.pixels[99, 39] == whole[(x + 99 + 1600) % 1600, 339])
    }
    let another = try await workshop.put("photos/b.png", try Encoder.png(PhotoWorkshop.pixels(600, 400)))
    let reduced = try await service.picture(another.path) { _ in }
    #expect(reduced.full == nil && reduced.pixels.width < 600)
    let gone = await photoFault {
      let area = PixelRect(x: 0, y: 0, width: 1, height: 1)
      _ = try await service.detail(entry.path, DetailRequest(area: area, eighths: 8))
    }
    #expect(gone?.kind == .notFound)
  }
}
