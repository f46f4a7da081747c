import ClubServices
import FileStores
import Foundation
import Testing

/// Photos that are where they are wanted already.
@Suite struct `The same photo` {
  let workshop: PhotoWorkshop

  init() throws { workshop = try PhotoWorkshop() }

  @Test func `is found in the club under any name, and only when all bytes are the same`() async throws {
    let service = try workshop.service()
    let bytes = try PhotoWorkshop.jpeg()
    var other = bytes
    other[other.count - 1] ^= 1
    try await workshop.put("photos/other.jpg", other)
    let file = try workshop.local("pier.jpg", bytes)
    #expect(try await service.planUpload(file).existing == nil)
    try await workshop.put("photos/2024/wall.jpg", bytes)
    try await service.list { _ in }
    let plan = try await service.planUpload(file)
    #expect(plan.existing?.path == (try StorePath("photos/2024/wall.jpg")))
    #expect(plan.target == (try StorePath("photos/pier.jpg")) && plan.renaming == nil)
  }

  @Test func `is found behind a network by the store's checksum, and nothing is fetched for that`() async throws {
    let service = try workshop.service(keeping: 1 << 20)
    let bytes = try PhotoWorkshop.jpeg()
    try await workshop.put("photos/wall.jpg", bytes)
    let file = try workshop.local("pier.jpg", bytes)
    #expect(try await service.planUpload(file).existing?.path == (try StorePath("photos/wall.jpg")))
    #expect(workshop.store.reads == 0)
  }

  @Test func `is found behind a network without checksums once it was looked at, and nothing is fetched for that`()
    async throws
  {
    workshop.store.hideChecksums()
    let service = try workshop.service(keeping: 1 << 20)
    let bytes = try PhotoWorkshop.jpeg()
    try await workshop.put("photos/wall.jpg", bytes)
    let file = try workshop.local("pier.jpg", bytes)
    #expect(try await service.planUpload(file).existing == nil && workshop.store.reads == 0)
    _ = try await service.picture(try StorePath("photos/wall.jpg")) { _ in }
    #expect(workshop.store.reads == 1)
    #expect(try await service.planUpload(file).existing?.path == (try StorePath("photos/wall.jpg")))
    #expect(workshop.store.reads == 1)
  }

  @Test func `that is gone meanwhile is not the same any more`() async throws {
    let service = try workshop.service()
    let bytes = try PhotoWorkshop.jpeg()
    try await workshop.put("photos/wall.jpg", bytes)
    try await service.list { _ in }
    try await workshop.store.base.delete(try StorePath("photos/wall.jpg"), ifRevision: nil)
    #expect(try await service.planUpload(try workshop.local("pier.jpg", bytes)).existing == nil)
  }

  @Test func `is found in a folder of this machine, under its name or one with a number`() async throws {
    let service = try workshop.service()
    let bytes = try PhotoWorkshop.jpeg()
    try await workshop.put("photos/pier.jpg", bytes)
    let path = try StorePath("photos/pier.jpg")
    #expect(try await service.copy(of: path, in: workshop.folder) == nil)
    _ = try workshop.local("pier.jpg", [1, 2, 3])
    #expect(try await service.copy(of: path, in: workshop.folder) == nil)
    let second = try workshop.local("pier (2).jpg", bytes)
    let found = try await service.copy(of: path, in: workshop.folder + "/")
    #expect(found?.file == second && found?.entry.path == path)
    #expect(try await service.isCopy(second, of: path))
    #expect(try await !service.isCopy(workshop.folder + "/pier.jpg", of: path))
  }

  @Test func `is found under a number that a name of 255 bytes has no room for`() async throws {
    let service = try workshop.service()
    let bytes = try PhotoWorkshop.jpeg()
    let long = String(repeating: "ö", count: 125) + "x.jpg"
    #expect(long.utf8.count == 255)
    try await workshop.put("photos/" + long, bytes)
    _ = try workshop.local(long, [1, 2, 3])
    let second = try workshop.local(String(repeating: "ö", count: 123) + " (2).jpg", bytes)
    #expect(try await service.copy(of: try StorePath("photos/" + long), in: workshop.folder)?.file == second)
  }

  @Test(arguments: [
    ("noext", "Uploading as \"noext.jpg\": \"noext\" has no ending."),
    (
      "a.tiff",
      "Uploading as \"a.tiff.jpg\": \"a.tiff\" has no ending of a picture (.jpg, .png, .webp, .gif, .heic, .avif)."
    ),
    (".a.jpg", "Uploading as \"a.jpg\": \".a.jpg\" begins with a dot, and would be hidden."),
    ("taken.jpg", "Uploading as \"taken (2).jpg\": \"taken.jpg\" is taken."),
  ])
  func `why a photo gets another name is reported, the new name first`(name: String, sentence: String) async throws {
    try await workshop.put("photos/taken.jpg", [1])
    let plan = try await workshop.service().planUpload(try workshop.local(name, try PhotoWorkshop.jpeg()))
    #expect(plan.renaming == sentence)
  }
}
