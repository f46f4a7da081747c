import Backends
import FileStores
import TestKit
import Testing

@testable import Accounts

struct ServerAboutTests {
  private func ask(
    _ answer: ScriptedTransport.Answer, _ service: AccountService? = nil
  ) async throws -> (about: ServerAbout?, sent: [ScriptedTransport.Recorded]) {
    let transport = ScriptedTransport([answer])
    let service = try service ?? AccountService(server: "https://club.example:8443")
    return (try await ServerAbout.ask(service, transport: transport), transport.recorded)
  }

  @Test func `a server says its version and its capabilities, to anybody`() async throws {
    let (about, sent) = try await ask(.text(200, #"{"version":"0.2.0","capabilities":["join","devices","x"],"new":1}"#))
    #expect(about == ServerAbout(version: "0.2.0", capabilities: ["join", "devices", "x"]))
    #expect(sent.map(\.request.url) == ["https://club.example:8443/2/byteclub/about"])
    #expect(sent.allSatisfy { $0.request.headers["Authorization"] == nil })
  }

  @Test(arguments: [(400, "{}"), (401, "{}"), (404, ""), (405, ""), (200, "<html>"), (200, "{}"), (200, "null")])
  func `an older server, and another program, say nothing`(_ row: (status: Int, body: String)) async throws {
    #expect(try await ask(.text(row.status, row.body)).about == nil)
  }

  @Test(arguments: [(500, StoreError.Kind.server), (302, .server), (503, .offline)])
  func `a server that fails is no older one`(_ row: (status: Int, kind: StoreError.Kind)) async throws {
    let error = await #expect(throws: StoreError.self) { try await ask(.text(row.status, "")) }
    #expect(error?.kind == row.kind)
  }

  @Test func `Dropbox itself is not asked`() async throws {
    let (about, sent) = try await ask(.text(500, ""), .dropbox)
    #expect(about == nil && sent.isEmpty)
  }

  @Test(arguments: [
    ("0.1.0", "0.1.0", 0), ("0.1.0", "0.2.0", -1), ("0.10.0", "0.9.1", 1), ("1.0", "1.0.1", -1),
    ("1.2", "1.2.0", 0), ("1.2.0", "1.2", 0), ("1.2.1", "1.2", 1),
    ("1.0.0-rc1", "1.0.0", 0),
    ("x", "0.1.0", -1),
  ])
  func `versions are compared by their numbers`(_ row: (server: String, own: String, age: Int)) {
    #expect(ServerAbout(version: row.server, capabilities: []).age(beside: row.own) == row.age)
  }
}
