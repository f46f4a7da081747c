import ClubServices
import Decoding
import FileStores
import Foundation
import POSIX
import Imaging
import Synchronization
import TestKit
import Testing
import Transfers

@Suite struct `Uploading a photo` {
  let workshop: PhotoWorkshop
  let service: PhotosService

  init() throws {
    workshop = try PhotoWorkshop()
    service = try workshop.service()
  }

  @Test func `is ordered with all that another process needs to carry it out`() async throws {
    let bytes = try PhotoWorkshop.jpeg()
    let file = try workshop.local("garage.jpg", bytes)
    let plan = try await service.planUpload(file)
    #expect(plan.renamedFrom == nil && plan.size == UInt64(bytes.count))
    let id = try await service.upload(plan)
    #expect(id == "1")
    let order = TransferOrder(
      club: "home", store: "memory:",
      work: .upload(
        file: file, size: UInt64(bytes.count), contentHash: nil, name: Array("garage.jpg".utf8), number: 1),
      path: try StorePath("photos/garage.jpg"), name: "garage.jpg",
      sourceStamp: try await FileSource(path: file, pool: workshop.pool).stampText)
    #expect(workshop.orders.orders == [order])
    workshop.orders.finish(id)
  }

  @Test(arguments: [true, false])
  func `is read for its hash before it is sent only if a photo of the club has its size`(isAlike: Bool) async throws {
    let bytes = try PhotoWorkshop.jpeg()
    var other = bytes
    other[other.count - 1] ^= 1
    try await workshop.put("photos/other.jpg", isAlike ? other : Array(other.dropLast()))
    let plan = try await service.planUpload(try workshop.local("garage.jpg", bytes))
    #expect(plan.existing == nil)
    workshop.orders.finish(try await service.upload(plan))
    guard case .upload(_, _, let hash, _, _)? = workshop.orders.orders.first?.work else {
      Issue.record("no upload")
      return
    }
    #expect(hash == (isAlike ? ContentHash(of: bytes) : nil))
  }

  @Test func `is looked at again when the file has changed: a picture that was cut is refused`() async throws {
    let file = try workshop.local("garage.jpg", try PhotoWorkshop.jpeg())
    let decoder = InProcessDecoder(pool: workshop.pool)
    try await PhotosService.check(try await FileSource(path: file, pool: workshop.pool), decoder)
    #expect(truncate(file, 1000) == 0)
    let cut = try await FileSource(path: file, pool: workshop.pool)
    let error = await #expect(throws: StoreError.self) { try await PhotosService.check(cut, decoder) }
    #expect(error?.kind == .corrupt && error?.message.contains("\"garage.jpg\" cannot be uploaded") == true)
  }

  @Test func `gives a number to a name that is taken, and says so`() async throws {
    try await workshop.put("photos/garage.jpg", [1])
    let plan = try await service.planUpload(try workshop.local("garage.jpg", try PhotoWorkshop.jpeg()))
    #expect(plan.target == (try StorePath("photos/garage (2).jpg")))
    #expect(plan.renamedFrom == "garage.jpg")
    workshop.orders.finish(try await service.upload(plan))
    let order = try #require(workshop.orders.orders.first)
    #expect(order.path == plan.target && order.renamedFrom == "garage.jpg" && order.name == "garage (2).jpg")
    guard case .upload(_, _, _, let name, let number) = order.work else {
      Issue.record("no upload")
      return
    }
    #expect(name == Array("garage.jpg".utf8) && number == 2)
  }

  @Test func `keeps its name from the next plan until it is over`() async throws {
    let path = try workshop.local("garage.jpg", try PhotoWorkshop.jpeg())
    let id = try await service.upload(try await service.planUpload(path))
    #expect(try await service.planUpload(path).target.description == "photos/garage (2).jpg")
    workshop.orders.finish(id)
    // The name is let go of a moment after the transfer is over.
    while try await service.planUpload(path).target.description != "photos/garage.jpg" { await Task.yield() }
  }

  @Test func `is not taken on when the journal refuses, and its name is free again`() async throws {
    let path = try workshop.local("garage.jpg", try PhotoWorkshop.jpeg())
    workshop.orders.refuse(StoreError(.quota, "The disk is full."))
    let fault = await photoFault { _ = try await service.upload(try await service.planUpload(path)) }
    #expect(fault?.kind == .quota && workshop.orders.orders.isEmpty)
    #expect(try await service.planUpload(path).target.description == "photos/garage.jpg")
  }

  @Test func `keeps a planned name from the next plan, as long as there is the plan`() async throws {
    let path = try workshop.local("garage.jpg", try PhotoWorkshop.jpeg())
    var plans = [try await service.planUpload(path), try await service.planUpload(path)]
    #expect(plans.map(\.target.description) == ["photos/garage.jpg", "photos/garage (2).jpg"])
    plans.removeFirst()
    #expect(try await service.planUpload(path).target.description == "photos/garage.jpg")
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

  @Test func `is refused for too many pixels before anything is decoded`() async throws {
    final class Asked: PictureDecoding {
      let atOnce = 1
      let count = Atomic<Int>(0)

      func perform(
        _ work: PictureWork, on content: PictureContent, orientation: Orientation, limits: PictureLimits,
        isUrgent: Bool
      ) async throws(ImageError) -> PictureResult {
        count.wrappingAdd(1, ordering: .relaxed)
        throw .cancelled
      }
    }
    let decoder = Asked()
    let service = try workshop.service(decoder: decoder)
    let bomb = try workshop.local("bomb.jpg", try PhotoWorkshop.bomb())
    let fault = await photoFault { _ = try await service.planUpload(bomb) }
    #expect(fault?.kind == .tooLarge && decoder.count.load(ordering: .relaxed) == 0)
    let whole = try workshop.local("whole.jpg", try PhotoWorkshop.jpeg())
    _ = await photoFault { _ = try await service.planUpload(whole) }
    #expect(decoder.count.load(ordering: .relaxed) == 1)
  }

  @Test func `is refused for what is no file`() async throws {
    mkfifo("\(workshop.folder)/pipe.jpg", 0o600)
    for (name, kind) in [("", StoreError.Kind.badInput), ("pipe.jpg", .badInput), ("gone.jpg", .notFound)] {
      let fault = await photoFault { _ = try await service.planUpload("\(workshop.folder)/\(name)") }
      #expect(fault?.kind == kind, "\(name)")
    }
  }

  @Test(arguments: [
    (".hidden.jpg", "hidden.jpg"), ("...jpg", "jpg.jpg"), ("garage", "garage.jpg"), ("garage.tiff", "garage.tiff.jpg"),
    ("a\u{1B}[31m.jpg", "a_[31m.jpg"), ("a\u{202E}b.jpg", "a_b.jpg"), (".byteclub-x.jpg", "byteclub-x.jpg"),
    ("ü.JPG", "ü.JPG"),
  ])
  func `changes a name that would not be shown, and says so`(name: String, expected: String) async throws {
    let plan = try await service.planUpload(try workshop.local(name, try PhotoWorkshop.jpeg()))
    #expect(plan.target.description == "photos/\(expected)")
    #expect(plan.renamedFrom == (name == expected ? nil : name))
  }
}

@Suite struct `Downloading a photo` {
  let workshop: PhotoWorkshop
  let service: PhotosService

  init() throws {
    workshop = try PhotoWorkshop()
    service = try workshop.service()
  }

  @Test func `is ordered into a folder that is named in full`() async throws {
    try await workshop.put("photos/2024/garage.jpg", [1])
    let path = try StorePath("photos/2024/garage.jpg")
    for folder in [workshop.folder, ".", "", "pictures"] { _ = try await service.download(path, to: folder) }
    let here = FileManager.default.currentDirectoryPath
    let orders = [workshop.folder, here, here, "\(here)/pictures"].map {
      TransferOrder(
        club: "home", store: "memory:", work: .download(folder: $0), path: path, name: "garage.jpg")
    }
    #expect(workshop.orders.orders == orders)
  }

  @Test func `is refused for what is not there or is a folder`() async throws {
    try await workshop.put("photos/2024/a.jpg", [1])
    for (path, kind) in [("photos/b.jpg", StoreError.Kind.notFound), ("photos/2024", .badInput)] {
      let fault = await photoFault {
        _ = try await service.download(try StorePath(path), to: workshop.folder)
      }
      #expect(fault?.kind == kind)
    }
  }
}
