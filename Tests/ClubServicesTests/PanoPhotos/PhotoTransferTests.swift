import ClubServices
import FileStores
import Foundation
import Glibc
import Imaging
import Testing
import Transfers

@Suite struct `Uploading a photo` {
  let workshop: PhotoWorkshop
  let service: PhotosService

  init() throws {
    workshop = try PhotoWorkshop()
    service = try workshop.service()
  }

  private func upload(_ plan: UploadPlan) async throws -> FileEntry? {
    let id = await service.upload(plan, delegate: workshop.delegate)
    return try await workshop.engine.result(of: id)?.get()
  }

  @Test func `makes it the same, byte by byte`() async throws {
    let bytes = try PhotoWorkshop.jpeg()
    let plan = try await service.planUpload(try workshop.local("garage.jpg", bytes))
    #expect(plan.renamedFrom == nil && plan.size == UInt64(bytes.count))
    #expect(try await upload(plan)?.path == (try StorePath("photos/garage.jpg")))
    #expect(try await workshop.bytes("photos/garage.jpg") == bytes)
  }

  @Test func `gives a number to a name that is taken, and says so`() async throws {
    try await workshop.put("photos/garage.jpg", [1])
    let plan = try await service.planUpload(try workshop.local("garage.jpg", try PhotoWorkshop.jpeg()))
    #expect(plan.target == (try StorePath("photos/garage (2).jpg")))
    #expect(plan.renamedFrom == "garage.jpg")
    _ = try await upload(plan)
    #expect(try await workshop.bytes("photos/garage.jpg") == [1])
  }

  @Test func `keeps a planned name from the next plan, as long as there is the plan`() async throws {
    let path = try workshop.local("garage.jpg", try PhotoWorkshop.jpeg())
    var plans = [try await service.planUpload(path), try await service.planUpload(path)]
    #expect(plans.map(\.target.description) == ["photos/garage.jpg", "photos/garage (2).jpg"])
    plans.removeFirst()
    #expect(try await service.planUpload(path).target.description == "photos/garage.jpg")
  }

  @Test func `takes the next name when the name is taken meanwhile`() async throws {
    let path = try workshop.local("garage.jpg", try PhotoWorkshop.jpeg())
    let plan = try await service.planUpload(path)
    try await workshop.put("photos/garage.jpg", [1])
    try await workshop.put("photos/garage (2).jpg", [2])
    let id = await service.upload(plan, delegate: workshop.delegate)
    let entry = try await workshop.engine.result(of: id)?.get()
    #expect(entry?.path.description == "photos/garage (3).jpg")
    #expect(await workshop.engine.transfer(id)?.path == entry?.path)
    #expect(try await workshop.bytes("photos/garage.jpg") == [1])
    #expect(try await workshop.bytes("photos/garage (2).jpg") == [2])
  }

  @Test func `is refused for what is no whole picture, with its name`() async throws {
    let whole = try PhotoWorkshop.jpeg()
    let cases: [(String, [UInt8], StoreError.Kind)] = [
      ("text.jpg", Array("no picture".utf8), .corrupt), ("empty.jpg", [], .corrupt),
      ("cut.jpg", Array(whole.prefix(whole.count / 2)), .corrupt), ("bomb.jpg", try PhotoWorkshop.bomb(), .tooLarge),
    ]
    for (name, bytes, kind) in cases {
      let path = try workshop.local(name, bytes)
      let fault = await photoFault { _ = try await service.planUpload(path) }
      #expect(fault?.kind == kind, "\(name)")
      #expect(fault?.message.contains("\"\(name)\" cannot be uploaded") == true, "\(name)")
    }
  }

  @Test func `is refused for what is no file`() async throws {
    mkfifo("\(workshop.folder)/pipe.jpg", 0o600)
    for (name, kind) in [("", StoreError.Kind.badInput), ("pipe.jpg", .badInput), ("gone.jpg", .notFound)] {
      let fault = await photoFault { _ = try await service.planUpload("\(workshop.folder)/\(name)") }
      #expect(fault?.kind == kind, "\(name)")
    }
  }

  @Test(arguments: [
    (".hidden.jpg", "hidden.jpg"), ("...jpg", "jpg.jpg"), ("garage", "garage.jpg"), ("garage.heic", "garage.heic.jpg"),
    ("a\u{1B}[31m.jpg", "a_[31m.jpg"), ("a\u{202E}b.jpg", "a_b.jpg"), (".byteclub-x.jpg", "byteclub-x.jpg"),
    ("ü.JPG", "ü.JPG"),
  ])
  func `changes a name that would not be shown, and says so`(name: String, expected: String) async throws {
    let plan = try await service.planUpload(try workshop.local(name, try PhotoWorkshop.jpeg()))
    #expect(plan.target.description == "photos/\(expected)")
    #expect(plan.renamedFrom == (name == expected ? nil : name))
  }

  @Test func `does not send another file than was looked at`() async throws {
    let path = try workshop.local("garage.jpg", try PhotoWorkshop.jpeg())
    let plan = try await service.planUpload(path)
    _ = try workshop.local("garage.jpg", try PhotoWorkshop.jpeg(500, 500))
    let fault = await photoFault { _ = try await upload(plan) }
    #expect(fault?.kind == .badInput && fault?.message.contains("was changed") == true)
    #expect(await photoFault { _ = try await workshop.bytes("photos/garage.jpg") }?.kind == .notFound)
  }
}

@Suite struct `Downloading a photo` {
  let workshop: PhotoWorkshop
  let service: PhotosService

  init() throws {
    workshop = try PhotoWorkshop()
    service = try workshop.service()
  }

  @Test func `makes it the same, and replaces nothing`() async throws {
    let bytes = try PhotoWorkshop.jpeg()
    try await workshop.put("photos/2024/garage.jpg", bytes)
    _ = try workshop.local("garage.jpg", [1])
    let id = try await service.download(
      try StorePath("photos/2024/garage.jpg"), to: workshop.folder, delegate: workshop.delegate)
    _ = try await workshop.engine.result(of: id)?.get()
    let place = try #require(await workshop.engine.transfer(id)?.place)
    #expect(place == "\(workshop.folder)/garage (2).jpg")
    #expect(FileManager.default.contents(atPath: place).map { Array($0) } == bytes)
  }

  @Test func `makes control characters of its name harmless`() async throws {
    try await workshop.put("photos/a\u{1B}[2J\n.jpg", [1])
    let id = try await service.download(
      try StorePath("photos/a\u{1B}[2J\n.jpg"), to: workshop.folder, delegate: workshop.delegate)
    _ = try await workshop.engine.result(of: id)?.get()
    #expect(await workshop.engine.transfer(id)?.place == "\(workshop.folder)/a_[2J_.jpg")
  }

  @Test func `is refused for what is not there or is a folder`() async throws {
    try await workshop.put("photos/2024/a.jpg", [1])
    for (path, kind) in [("photos/b.jpg", StoreError.Kind.notFound), ("photos/2024", .badInput)] {
      let fault = await photoFault {
        _ = try await service.download(try StorePath(path), to: workshop.folder, delegate: workshop.delegate)
      }
      #expect(fault?.kind == kind)
    }
  }
}
