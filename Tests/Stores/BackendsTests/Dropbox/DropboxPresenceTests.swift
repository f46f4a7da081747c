import Backends
import FileStores
import Synchronization
import TestKit
import Testing

/// Presence at a server that may have it, as the client reads it.
@Suite struct DropboxPresenceTests {
  private static let has = ScriptedTransport.Answer.text(200, #"{"version":"1","capabilities":["join","presence"]}"#)

  private func scene(_ answers: [ScriptedTransport.Answer]) throws -> DropboxScene {
    try DropboxScene(answers, server: try DropboxServer(origin: "https://club.example"))
  }

  private func presence(_ scene: DropboxScene) throws -> any StorePresence {
    try #require(scene.store.capabilities.presence)
  }

  /// The lists of the watch, and the error of its end.
  private func watched(_ scene: DropboxScene) async throws -> ([[PresentMember]], StoreError?) {
    let seen = Mutex<[[PresentMember]]>([])
    let presence = try presence(scene)
    let error = await #expect(throws: StoreError.self) {
      try await presence.watch { members in seen.withLock { $0.append(members) } }
    }
    return (seen.withLock { $0 }, error)
  }

  @Test func `lines change the list of the others, in the club's own paths`() async throws {
    let lines = """
      {"present":[]}

      {"present":[{"name":"ben","sight":{"path":"/Club/b.md","edits":true,"line":{"number":3,"rev":"015"}}},{"name":"ann","sight":{"path":"/elsewhere/a.md","follows":true}}]}
      {"present":[{"name":"cem","sight":{"path":"/club/p.jpg","view":{"yaw":-100,"pitch":2,"width":9000},"points":2}}],"gone":["ben"]}

      """
    let scene = try scene([Self.has, .text(200, lines)])
    let (seen, error) = try await watched(scene)
    // A server that ends the watch is asked again.
    #expect(error?.kind == .offline)
    let ben = PresentMember(
      "ben", Sight(try StorePath("b.md"), edits: true, line: Sight.Line(3, of: Revision("015"))))
    let cem = PresentMember(
      "cem", Sight(try StorePath("p.jpg"), gaze: Gaze(yaw: -100, pitch: 2, width: 9000), points: 2))
    let ann = PresentMember("ann", Sight(follows: true))
    #expect(seen == [[], [ann, ben], [ann, cem]])
    #expect(scene.routes == ["byteclub/about", "byteclub/watch"])
  }

  @Test func `a sight is sent in the server's paths, without names that the server cannot have`() async throws {
    let scene = try scene(Array(repeating: .text(200, "null"), count: 4))
    let presence = try presence(scene)
    try await presence.show(
      Sight(try StorePath("p.jpg"), gaze: Gaze(yawDegrees: 1, pitchDegrees: -2, widthDegrees: 90), points: 1))
    try await presence.show(Sight(try StorePath(".byteclub/x"), line: Sight.Line(1, of: Revision("2"))))
    try await presence.show(Sight(try StorePath("p.jpg"), follows: true))
    try await presence.show(nil)
    #expect(
      scene.transport.recorded.map { String(decoding: $0.body, as: UTF8.self) } == [
        #"{"sight":{"path":"/club/p.jpg","view":{"yaw":100,"pitch":-200,"width":9000},"points":1}}"#,
        #"{"sight":{}}"#, #"{"sight":{"path":"/club/p.jpg","follows":true}}"#, #"{"sight":null}"#,
      ])
  }

  @Test(arguments: [
    #"{"version":"1","capabilities":["join"]}"#, "{}", "[]",
  ])
  func `a server without it is asked once`(about: String) async throws {
    let scene = try scene([.text(200, about)])
    let (seen, error) = try await watched(scene)
    #expect(seen.isEmpty && error?.kind == .unsupported && error?.remedy == "")
    #expect(scene.store.capabilities.presence == nil)
  }

  @Test func `another server than byteclub's is asked once, and Dropbox never`() async throws {
    let scene = try scene([.text(400, "Unknown API function.")])
    #expect(try await watched(scene).1?.kind == .unsupported)
    #expect(scene.store.capabilities.presence == nil)
    #expect(try DropboxScene([]).store.capabilities.presence == nil)
  }

  @Test func `a server that is away may have it`() async throws {
    let scene = try scene([.failure(StoreError(.offline, "The line broke."))])
    #expect(try await watched(scene).1?.kind == .offline)
    #expect(scene.store.capabilities.presence != nil)
  }

  @Test(arguments: [
    "no JSON\n", String(repeating: "x", count: 300_000),
  ])
  func `lines that are none end the watch`(lines: String) async throws {
    let scene = try scene([Self.has, .text(200, lines)])
    let (seen, error) = try await watched(scene)
    #expect(seen.isEmpty && error?.kind == .server)
  }

  @Test func `members that are none are left out, and there are not more than fit`() async throws {
    let many = (0..<400).map { #"{"name":"m\#($0)","sight":{}}"# }.joined(separator: ",")
    let strange = #"{"name":7,"sight":{}},{"sight":{}},{"name":"x"},{"name":"y","sight":{"points":-1}},"#
    let scene = try scene([Self.has, .text(200, #"{"present":[\#(strange)\#(many)]}"# + "\n")])
    let (seen, _) = try await watched(scene)
    #expect(seen.first?.count == 256 && seen.first?.contains { ["x", "y"].contains($0.name) } == false)
  }
}
