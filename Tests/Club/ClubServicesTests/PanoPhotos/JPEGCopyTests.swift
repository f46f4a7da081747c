import ClubServices
import FileStores
import Foundation
import Imaging
import TestKit
import Testing

/// Pictures that become JPEGs on their way into the club.
@Suite struct JPEGCopyTests {
  private let workshop: PhotoWorkshop

  init() throws { workshop = try PhotoWorkshop() }

  private func copy(_ name: String, _ bytes: [UInt8], _ changes: UploadChanges) async throws -> (String, [UInt8]) {
    let file = try workshop.local(name, bytes)
    let made = try await workshop.service().uploadCopy(of: file, changes, in: workshop.folder + "/copies")
    // The member's own file is as it was.
    #expect(try Array(Data(contentsOf: URL(filePath: file))) == bytes)
    return (made, try Array(Data(contentsOf: URL(filePath: made))))
  }

  @Test(.enabled(if: HEIFPrograms.areThere, "libheif-examples is not installed"), arguments: ["heic", "avif"])
  func `a HEIC or AVIF becomes a JPEG with that ending`(ending: String) async throws {
    try #require(Decoder.loadHEIF())
    let pixels = PhotoWorkshop.pixels(60, 40)
    let bytes = try HEIFPrograms.file(try Encoder.png(pixels), ending)
    let (path, made) = try await copy("IMG_1.\(ending.uppercased())", bytes, UploadChanges(asJPEG: true))
    #expect(path.hasSuffix("/IMG_1.jpg"))
    let header = try PictureHeader.read(made)
    #expect(header.format == .jpeg && header.size == pixels.size)
  }

  @Test(.enabled(if: HEIFPrograms.areThere, "libheif-examples is not installed"))
  func `a HEIC is sent as it is, or not at all, unless it may become a JPEG`() async throws {
    try #require(Decoder.loadHEIF())
    let bytes = try HEIFPrograms.file(try Encoder.png(PhotoWorkshop.pixels(60, 40)))
    let (path, same) = try await copy("a.heic", bytes, UploadChanges())
    #expect(path.hasSuffix("/a.heic") && same == bytes)
    let (_, small) = try await copy("b.heic", bytes, UploadChanges(maxEdge: 30, dropsPlace: true, asJPEG: true))
    #expect(try PictureHeader.read(small).size == PixelSize(width: 30, height: 20))
    for changes in [UploadChanges(quality: 60), UploadChanges(maxEdge: 30), UploadChanges(dropsPlace: true)] {
      let fault = await photoFault { _ = try await copy("c.heic", bytes, changes) }
      #expect(fault?.kind == .unsupported && fault?.remedy.contains("--jpeg") == true)
    }
  }

  @Test func `a JPEG stays as it is, byte by byte`() async throws {
    let bytes = try PhotoWorkshop.jpeg()
    let (path, made) = try await copy("a.JPG", bytes, UploadChanges(asJPEG: true))
    #expect(path.hasSuffix("/a.JPG") && made == bytes)
  }
}
