import ClubServices
import FileStores
import Imaging
import Testing

@Suite struct `A photo's tour` {
  let workshop: PhotoWorkshop
  let service: PhotosService
  let pier: StorePath

  init() throws {
    workshop = try PhotoWorkshop()
    service = try workshop.service()
    pier = try StorePath("photos/2024/pier.jpg")
  }

  private func put(_ path: String, _ json: String) async throws { try await workshop.put(path, Array(json.utf8)) }

  private func marks() async throws -> [String]? {
    try await service.tour(of: pier)?.marks.map { "\($0.label): \($0.target.words)" }
  }

  private static func spot(_ more: String) -> String { #"{"yaw":1,"pitch":2,\#(more)}"# }

  @Test func `is in the file with the photo's name, else in the folder's tour`() async throws {
    #expect(try await service.tour(of: pier) == nil)
    func text(_ label: String) -> String {
      #"{"scenes":{"p":{"panorama":"pier.jpg","hotSpots":[\#(Self.spot(#""text":"\#(label)""#))]}}}"#
    }
    try await put("photos/2024/tour.json", text("in the folder"))
    #expect(try await marks() == ["in the folder: nothing"])
    try await put("photos/2024/pier.json", #"{"hotSpots":[\#(Self.spot(#""text":"of the name""#))]}"#)
    #expect(try await marks() == ["of the name: nothing"])
    try await put("photos/2024/pier.jpg.json", text("of the file"))
    #expect(try await marks() == ["of the file: nothing"])
    // Some archives of photos write such files; they say nothing about panoramas.
    try await put("photos/2024/pier.jpg.json", #"{"title":"pier.jpg","geoData":{"latitude":0.0}}"#)
    #expect(try await marks() == ["of the name: nothing"])
    let quay = try StorePath("photos/2024/quay.jpg")
    #expect(try await service.tour(of: quay) == nil)
  }

  @Test func `leads to scenes by their panoramas, in the club's photos`() async throws {
    try await put(
      "photos/2024/tour.json",
      #"{"scenes":{"p":{"panorama":"pier.jpg","yaw":7,"hotSpots":["#
        + [
          Self.spot(#""sceneId":"q""#), Self.spot(#""sceneId":"up","text":"Up","targetYaw":9"#),
          Self.spot(#""sceneId":"out""#), Self.spot(#""sceneId":"gone""#), Self.spot(#""sceneId":"none""#),
          Self.spot(#""sceneId":"web""#), Self.spot(#""sceneId":"text""#),
        ].joined(separator: ",")
        + #"]},"q":{"title":"The quay","panorama":"./a%20quay.jpg","yaw":3},"up":{"panorama":"../top.jpg"},"#
        + #""out":{"panorama":"../../../etc/x.jpg"},"none":{},"web":{"panorama":"https://club.example/x.jpg"},"#
        + #""text":{"panorama":"../../secret.md"}}}"#)
    let tour = try #require(try await service.tour(of: pier))
    #expect(tour.view == Tour.View(yawDegrees: 7) && tour.title.isEmpty)
    #expect(try await service.tour(of: StorePath("photos/2024/a quay.jpg"))?.title == "The quay")
    #expect(
      try await marks() == [
        "The quay: photos/2024/a quay.jpg", "Up: photos/top.jpg",
        "out: \"../../../etc/x.jpg\" is no photo of this club, so byteclub does not go there.",
        "gone: \"photos/2024/tour.json\" has no scene \"gone\".",
        "none: The scene \"none\" of \"photos/2024/tour.json\" names no panorama.",
        "web: \"https://club.example/x.jpg\" is no photo of this club, so byteclub does not go there.",
        "text: \"../../secret.md\" is no photo of this club, so byteclub does not go there.",
      ])
    guard case .photo(_, let arrival, let own) = tour.marks[1].target else { return #expect(Bool(false)) }
    #expect(arrival.yaw == .degrees(9) && own == Tour.View())
  }

  @Test func `leads to notes, and not out of the club`() async throws {
    try await put(
      "photos/2024/pier.json",
      #"{"hotSpots":["#
        + [
          Self.spot(#""URL":"Tides.md""#), Self.spot(#""URL":"../../Tides.md""#),
          Self.spot(#""URL":"../../../x.md""#), Self.spot(#""URL":"https://club.example/""#),
          Self.spot(#""sceneId":"quay.jpg""#),
        ].joined(separator: ",") + "]}")
    #expect(
      try await marks() == [
        "Tides.md: Tides.md", "../../Tides.md: Tides.md",
        "../../../x.md: \"../../../x.md\" leads out of the club, so byteclub does not go there.",
        "https://club.example/: https://club.example/", "quay.jpg: photos/2024/quay.jpg",
      ])
  }

  @Test func `that cannot be read has a sentence`() async throws {
    try await put("photos/2024/pier.json", "[]")
    let fault = await photoFault { _ = try await service.tour(of: pier) }
    #expect(fault?.kind == .corrupt)
    #expect(
      fault?.message == "\"photos/2024/pier.json\" is not a tour that byteclub can read: it is not a JSON object.")
    try await put("photos/2024/pier.json", "{\n  \"hotSpots\": [ {} ]\n}")
    let tour = try await service.tour(of: pier)
    #expect(
      tour?.fault == "In \"photos/2024/pier.json\", hot spot 1 has no yaw. byteclub shows the photo without it.")
    try await put("photos/2024/pier.json", "{\"a\":\"\(String(repeating: "x", count: TourReader.mostBytes))\"}")
    #expect(await photoFault { _ = try await service.tour(of: pier) }?.kind == .tooLarge)
  }

  @Test func `is looked for only among the files of the listing`() async throws {
    try await workshop.put("photos/2024/pier.jpg", [1])
    try await service.list { _ in }
    #expect(try await service.tour(of: pier) == nil)
    try await put("photos/2024/pier.json", #"{"hotSpots":[\#(Self.spot(#""text":"late""#))]}"#)
    try await service.list { _ in }
    #expect(try await marks() == ["late: nothing"])
  }
}

@Suite struct `The words of a photo's content` {
  @Test func `change with the content`() async throws {
    let workshop = try PhotoWorkshop()
    let service = try workshop.service()
    let path = try StorePath("photos/pier.jpg")
    #expect(await service.contentWords(of: path).isEmpty)
    try await workshop.put("photos/pier.jpg", try PhotoWorkshop.jpeg())
    let first = Set(await service.contentWords(of: path))
    #expect(!first.isEmpty)
    try await workshop.put("photos/pier.jpg", try PhotoWorkshop.jpeg(blue: 99))
    let second = Set(await service.contentWords(of: path))
    #expect(!second.isEmpty && first.isDisjoint(with: second))
  }
}

extension PhotoMark.Target {
  fileprivate var words: String {
    switch self {
    case .none: "nothing"
    case .photo(let path, _, _): "\(path)"
    case .link(let link): link
    case .broken(let sentence): sentence
    }
  }
}
