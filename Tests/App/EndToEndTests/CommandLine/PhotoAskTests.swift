import Foundation
import TestKit
import TextUI
import Testing

/// `byteclub photo ask` and `U`, by the real program and server; curl stands for the phone.
@Suite(.enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(10))) struct PhotoAskTests {
  private final class World {
    let home: MemberHome
    let server: ClubServer
    private let token: String

    init(options: [String] = ["--drop-pages"]) throws {
      home = try MemberHome(hasClub: false)
      server = try ClubServer(home, folder: "served", options: options)
      token = try server.admit("ray")
      let clubs = [
        "lab": ["store": "dropbox", "server": server.address, "folder": "/"],
        "here": ["store": "folder", "path": home.path + "/served"],
      ]
      let config = try JSONSerialization.data(withJSONObject: ["club": "lab", "clubs": clubs] as [String: Any])
      try home.write(Array(config), to: ".config/byteclub/config.json")
      try home.write(Pictures.jpeg, to: "phone/pier.jpg")
    }

    func run(_ arguments: String...) throws -> Spawn.Outcome {
      var all = PtySession.basicEnvironment
      for (name, value) in home.environment(["BYTECLUB_TOKEN": token]) { all[name] = value.isEmpty ? nil : value }
      return try Spawn(MemberHome.binary(), arguments, environment: all).finish()
    }

    func app() throws -> PtySession {
      try PtySession(
        MemberHome.binary(), [], size: Size(100, 40), environment: home.environment(["BYTECLUB_TOKEN": token]),
        workingDirectory: home.path)
    }

    /// - Returns: the status of the answer.
    func phone(_ url: String, _ words: String...) throws -> String {
      let options = ["-s", "--max-time", "180", "-o", "/dev/null", "-w", "%{http_code}"]
      return try Spawn("/usr/bin/curl", options + words + [url], environment: ["PATH": "/usr/bin:/bin"]).finish().text
    }
  }

  @Test func `a phone leaves a photo, which is news and its guest's, until the page ends`() throws {
    let world = try World()
    #expect(try world.run("news").status == 0)
    let made = try world.run("photo", "ask", "--from", "Mia", "--to", "oslo", "--expires", "2h")
    #expect(made.status == 0 && made.said.contains("Mia's phone leaves photos, 500.0 MiB at most,"), "\(made.said)")
    #expect(made.said.contains("No phone reaches this address"), "\(made.said)")
    let url = made.text.trimmingCharacters(in: .newlines)
    #expect(url.hasPrefix(world.server.address + "/d/") && !url.contains("\n"))
    let list = try world.run("link", "ls").text
    #expect(list == "\(url)  photos/oslo/  photos from Mia, at most 500.0 MiB\n", "\(list)")
    #expect(try world.run("link", "ls", "--json").text.contains(#""takesPhotos":true,"from":"Mia","limit":524288000"#))
    #expect(try world.phone(url, "-F", "pictures=@\(world.home.path)/phone/pier.jpg") == "200")
    #expect(world.home.bytes("served/photos/oslo/pier.jpg") == Pictures.jpeg)
    let photos = try world.run("photo", "ls", "--json").text
    #expect(photos.contains(#""member":"Mia (a guest of ray)""#), "\(photos)")
    let news = try world.run("news", "--json").text
    #expect(news.contains(#""member":"Mia (a guest of ray)""#) && news.contains("photos/oslo/pier.jpg"), "\(news)")
    let gone = try world.run("link", "rm", url)
    #expect(gone.said == "The page for photos into \"photos/oslo\" has ended.\n", "\(gone.said)")
    #expect(try world.phone(url) == "404")
    #expect(try world.run("link", "ls").text.isEmpty)
  }

  @Test func `in the app, U shows the address, and any key closes it`() throws {
    let world = try World()
    let session = try world.app()
    session.press("2")
    try session.see("No photos yet")
    session.press("U")
    try session.see("Photos from:")
    session.press("Enter")
    let screen = try session.wait(for: "No phone reaches this address", timeout: .patient)
    #expect(screen.text.contains(world.server.address + "/d/") && screen.text.contains("Any phone leaves photos"))
    session.press("Esc")
    try session.see("No photos yet")
  }

  @Test func `a server without the option, and a club without a server, say so`() throws {
    let world = try World(options: [])
    let refused = try world.run("photo", "ask")
    #expect(refused.status == 7 && refused.text.isEmpty && refused.said.contains("byteclub serve --drop-pages"))
    let folder = try world.run("photo", "ask", "--club", "here")
    #expect(folder.status == 1 && folder.said.contains("has no page where a phone leaves photos"), "\(folder.said)")
  }
}
