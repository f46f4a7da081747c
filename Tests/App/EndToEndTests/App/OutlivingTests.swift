import Foundation
import POSIX
import TestKit
import TextUI
import Testing

/// Transfers of clubs behind servers, which outlive the app, a token, the server and their owner.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OutlivingTests {
  /// At the limit of `scene` it is under way for longer than a busy machine stops one of the programs.
  private static let picture = TransferScene.picture(mebibytes: 16)
  private var picture: [UInt8] { Self.picture }

  /// A scene with a picture at `~/big.jpg`, and slow transfers.
  private func scene(limit: String = "400K") throws -> TransferScene {
    let scene = try TransferScene()
    try scene.home.write(picture, to: "big.jpg")
    #expect(try scene.verb("transfer", "limit", limit).status == 0)
    return scene
  }

  /// The app on a club with `big.jpg` under way.
  private func uploading(_ scene: TransferScene, _ club: String, _ variables: [String: String] = [:]) throws
    -> PtySession
  {
    let session = try scene.open(club, variables)
    session.press("2")
    try session.see("No photos yet.")
    try session.upload(scene.home.path + "/big.jpg")
    try scene.untilRunning("big.jpg", past: 1)
    return session
  }

  private func goToBackground(_ session: PtySession) throws {
    session.press("q")
    try session.see("background")
    session.press("b")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    session.expectGivenBack()
  }

  @Test func `two clubs go on in the background at once, each with its own token, and nothing is left running`()
    throws
  {
    let scene = try scene()
    for club in ["lab", "den"] { try scene.serve(club) }
    let tokens = try scene.servers.mapValues { try $0.admit("ann") }
    try scene.signIn("lab", token: try #require(tokens["lab"]))
    try scene.home.write(try #require(tokens["den"]) + "\n", to: "den-token")
    try scene.set(
      "den",
      [
        "store": "dropbox", "server": try #require(scene.servers["den"]).address, "folder": "/",
        "tokenCommand": ["cat", scene.home.path + "/den-token"],
      ])
    let session = try uploading(scene, "lab")
    // Ordered by another process, and carried out by the app.
    let other = TransferScene.picture(2, mebibytes: 16)
    try scene.home.write(other, to: "other.jpg")
    let put = try scene.start(["photo", "put", "--club", "den", scene.home.path + "/other.jpg", "--progress", "none"])
    try scene.untilRunning("other.jpg", past: 1)
    // Nobody else is there who could take over.
    put.signal(SIGKILL)
    _ = try put.finish()
    try goToBackground(session)
    let backgrounds = try scene.backgrounds()
    #expect(backgrounds.count == 1)
    #expect(try scene.list().compactMap { $0["state"] as? String } == ["running", "running"])
    #expect(try scene.verb("transfer", "limit", "off").status == 0)
    #expect(try scene.verb("transfer", "wait").status == 0)
    #expect(scene.served("lab", "big.jpg") == picture && scene.served("den", "other.jpg") == other)
    try scene.wait("the end of the background") { try scene.backgrounds().isEmpty && !scene.hasOwner }
  }

  @Test func `a club's token from the variable does not go to the background, which is not offered`() throws {
    let scene = try scene()
    let token = try scene.serve("lab").admit("ann")
    let session = try uploading(scene, "lab", ["BYTECLUB_TOKEN": token])
    session.press("q")
    let screen = try session.see("under way. Quit?")
    #expect(screen.text.contains("p pause") && !screen.text.contains("background"))
    session.press("Esc")
    try session.seeGone("under way. Quit?")
    #expect(try scene.backgrounds().isEmpty)
    // The message goes after some seconds: the look at the screen begins before anything is waited for.
    let limit = try scene.start(["transfer", "limit", "off"])
    try session.see("Uploaded")
    #expect(try limit.finish().status == 0)
    #expect(scene.served("lab", "big.jpg") == picture)
    try session.quit()
    #expect(!session.rawBytes.contains(Data(token.utf8)))
  }

  @Test func `with a sign-in of its own the club goes on, and the background never had the variable's token`() throws {
    let scene = try scene()
    let given = try scene.serve("lab").admit("ann")
    try scene.signIn("lab", token: given)
    let session = try uploading(scene, "lab", ["BYTECLUB_TOKEN": given])
    try goToBackground(session)
    let background = try #require(try scene.backgrounds().first)
    let variables = try #require(FileManager.default.contents(atPath: "/proc/\(background)/environ"))
    #expect(variables.range(of: Data("BYTECLUB_TOKEN".utf8)) == nil && variables.range(of: Data(given.utf8)) == nil)
    #expect(try scene.verb("transfer", "limit", "off").status == 0)
    #expect(try scene.verb("transfer", "wait").status == 0)
    #expect(scene.served("lab", "big.jpg") == picture)
  }

  @Test func `what is edited in the config while the background works counts for what comes after`() throws {
    let scene = try scene()
    for place in ["one", "two"] {
      try FileManager.default.createDirectory(
        atPath: scene.home.path + "/\(place)/photos", withIntermediateDirectories: true)
    }
    try scene.home.write("", to: "one/home.md")
    try scene.set("home", ["store": "folder", "path": scene.home.path + "/one"])
    let session = try uploading(scene, "home")
    try goToBackground(session)
    // The club is in another place, and there is a new one.
    try scene.set("home", ["store": "folder", "path": scene.home.path + "/two"])
    let token = try scene.serve("lab").admit("ann")
    try scene.signIn("lab", token: token)
    try scene.home.write(picture, to: "next.jpg")
    let puts = try ["home", "lab"].map {
      try scene.start(["photo", "put", "--club", $0, scene.home.path + "/next.jpg", "--progress", "none"])
    }
    try scene.wait("three transfers") { try scene.list().count == 3 }
    let backgrounds = try scene.backgrounds()
    #expect(backgrounds.count == 1)
    #expect(try scene.verb("transfer", "limit", "off").status == 0)
    #expect(try scene.verb("transfer", "wait").status == 0)
    for put in puts { #expect(try put.finish().status == 0) }
    // What was under way goes on where it was ordered to.
    #expect(scene.home.bytes("one/photos/big.jpg") == picture && scene.home.bytes("one/photos/next.jpg") == nil)
    #expect(scene.home.bytes("two/photos/next.jpg") == picture && scene.served("lab", "next.jpg") == picture)
  }

  @Test func `a club that the config does not have any more when its turn comes fails with a sentence`() throws {
    let scene = try scene()
    scene.settings["concurrent"] = 1
    let token = try scene.serve("lab").admit("ann")
    try scene.signIn("lab", token: token)
    try FileManager.default.createDirectory(atPath: scene.home.path + "/one/photos", withIntermediateDirectories: true)
    try scene.home.write("", to: "one/home.md")
    let home = ["store": "folder", "path": scene.home.path + "/one"]
    try scene.set("home", home)
    let session = try uploading(scene, "home")
    try scene.home.write(picture, to: "next.jpg")
    let put = try scene.start(
      ["photo", "put", "--club", "lab", scene.home.path + "/next.jpg", "--progress", "none"])
    try scene.wait("two transfers") { try scene.list().count == 2 }
    let club = try #require(scene.servers["lab"])
    try goToBackground(session)
    try scene.set("lab", nil)
    #expect(try scene.verb("transfer", "limit", "off").status == 0)
    let outcome = try put.finish()
    #expect(outcome.status != 0 && outcome.said.contains("lab"), "\(outcome.said)")
    #expect(scene.home.bytes("one/photos/big.jpg") == picture)
    let failed = try scene.until("next.jpg", "failed") { $0["state"] as? String == "failed" }
    // When the config has it again, it can be tried again.
    try scene.set("lab", ["store": "dropbox", "server": club.address, "folder": "/"])
    #expect(try scene.verb("transfer", "retry", try #require(failed["id"] as? String)).status == 0)
    #expect(try scene.verb("transfer", "wait").status == 0)
    #expect(scene.served("lab", "next.jpg") == picture)
  }

  @Test func `a server that ends in the middle and is back goes on with what it had`() throws {
    let scene = try scene()
    let server = try scene.serve("lab")
    try scene.signIn("lab", token: try server.admit("ann"))
    let session = try uploading(scene, "lab")
    let before = try scene.untilRunning("big.jpg")["sent"] as? Int ?? 0
    try server.crash()
    try session.see("Waiting for the network")
    let waiting = try scene.until("big.jpg", "waiting") { $0["state"] as? String == "waiting" }
    #expect(waiting["sent"] as? Int ?? 0 >= before - 1 << 20)
    try server.start()
    #expect(try scene.verb("transfer", "limit", "off").status == 0)
    let done = try scene.until("big.jpg", "done") { $0["state"] as? String == "done" }
    #expect(done["restarts"] as? Int == 0)
    #expect(scene.served("lab", "big.jpg") == picture)
    // The message goes after some seconds, the photo stays.
    try session.see("1 of 1")
    session.press("j")
    try session.quit()
  }

  @Test func `a token that is not taken any more fails the upload, and another account does not carry it on`()
    throws
  {
    let scene = try scene()
    let server = try scene.serve("lab")
    let file = scene.home.path + "/token"
    try scene.home.write(try server.admit("ann"), to: "token")
    try scene.set(
      "lab", ["store": "dropbox", "server": server.address, "folder": "/", "tokenCommand": ["cat", file]])
    let session = try uploading(scene, "lab")
    try scene.untilRunning("big.jpg")
    try server.dismiss("ann")
    session.press("t")
    try session.see("failed")
    let failed = try scene.until("big.jpg", "failed") { $0["state"] as? String == "failed" }
    #expect(failed["sent"] as? Int ?? 0 >= 1 << 20)
    #expect(scene.served("lab", "big.jpg") == nil)
    // Who is let in again is another account.
    try scene.home.write(try server.admit("ann"), to: "token")
    #expect(try scene.verb("transfer", "limit", "off").status == 0)
    #expect(try scene.verb("transfer", "retry", try #require(failed["id"] as? String)).status == 4)
    _ = try scene.verb("transfer", "wait")
    #expect(scene.served("lab", "big.jpg") == nil)
    session.press("q")
    try session.seeGone("Transfers  ")
    try session.quit()
  }

  @Test func `of two apps on one club the second sees and steers, and goes on when the first is killed`() throws {
    let scene = try scene()
    let server = try scene.serve("lab")
    try scene.signIn("lab", token: try server.admit("ann"))
    let first = try uploading(scene, "lab")
    let second = try scene.open("lab")
    try second.see("Uploading big.jpg")
    second.press("t")
    try second.see("1 running")
    second.press("p")
    try first.see("Paused: big.jpg")
    try second.see("1 paused")
    second.press("p")
    try first.see("Uploading big.jpg")
    let before = try scene.untilRunning("big.jpg")["sent"] as? Int ?? 0
    first.signal(SIGKILL)
    #expect(try first.waitExit(timeout: .patient) == .signalled(SIGKILL))
    let after = try scene.untilRunning("big.jpg", past: 1)
    #expect(after["sent"] as? Int ?? 0 >= before - 1 << 20)
    try second.see("1 running")
    #expect(try scene.verb("transfer", "limit", "off").status == 0)
    try second.see("1 done")
    #expect(scene.served("lab", "big.jpg") == picture)
    #expect(scene.home.files(below: "served-lab/photos") == ["big.jpg"])
    let done = try scene.until("big.jpg", "done") { $0["state"] as? String == "done" }
    #expect(done["restarts"] as? Int == 0)
    second.press("q")
    try second.seeGone("Transfers  ")
    try second.quit()
  }
}
