import FileStores
import TestKit
import Testing

@testable import Accounts

struct TokenSourceTests {
  @Test func `a variable goes before a command, and a command before the file`() {
    #expect(TokenSource(variable: "v", command: ["c"]) == .variable(name: "BYTECLUB_TOKEN", token: "v"))
    #expect(TokenSource(variable: nil, command: ["c", "d"]) == .command(["c", "d"]))
    #expect(TokenSource(variable: "", command: []) == .file)
    #expect(TokenSource(variable: nil, command: nil) == .file)
  }

  @Test func `a token from a variable is used as it is, and its refusal is the end`() async throws {
    let scene = try Scene()
    try scene.signIn()
    let tokens = scene.tokens(.variable(name: "BYTECLUB_TOKEN", token: "given-token"))
    #expect(try await tokens.token(refusing: nil) == "given-token")
    let error = await #expect(throws: StoreError.self) { try await tokens.token(refusing: "given-token") }
    #expect(error?.kind == .notSignedIn)
    #expect(error?.message.contains("BYTECLUB_TOKEN") == true)
    #expect(error?.description.contains("given-token") == false)
    #expect(scene.transport.recorded.isEmpty)
  }

  @Test(arguments: ["a b", "a\r\nX-Header: y", "é", String(repeating: "a", count: 20_000)])
  func `what no header can carry is no token`(_ text: String) async throws {
    let scene = try Scene()
    let error = await #expect(throws: StoreError.self) {
      try await scene.tokens(.variable(name: "BYTECLUB_TOKEN", token: text)).token(refusing: nil)
    }
    #expect(error?.kind == .notSignedIn)
    #expect(error?.description.contains(text) == false)
  }

  @Test func `a command is run once, and again when its token is refused`() async throws {
    let scene = try Scene()
    let count = scene.folder.path + "/count"
    let script = try scene.folder.script("command", "echo x >> '\(count)'; echo token-$(wc -l < '\(count)')")
    let tokens = scene.tokens(.command([script]))
    #expect(try await tokens.token(refusing: nil) == "token-1")
    #expect(try await tokens.token(refusing: nil) == "token-1")
    #expect(try await tokens.token(refusing: "token-1") == "token-2")
    #expect(try await tokens.token(refusing: "token-1") == "token-2")
    #expect(scene.folder.text("count") == "x\nx\n")
  }

  @Test func `fifty callers at once run a command once`() async throws {
    let scene = try Scene()
    let count = scene.folder.path + "/count"
    let script = try scene.folder.script("command", "echo x >> '\(count)'; echo t0ken")
    let tokens = scene.tokens(.command([script]))
    let got = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 { group.addTask { try await tokens.token(refusing: nil) } }
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(got == Array(repeating: "t0ken", count: 50))
    #expect(scene.folder.text("count") == "x\n")
  }

  @Test func `a caller that comes while a renewal is given up gets one of its own`() async throws {
    let (asked, gate) = (Gate(), Gate())
    let transport = ScriptedTransport { _ in
      asked.open()
      await gate.wait(whileNotCancelled: false)
      return .text(200, #"{"account_id":"ann","name":{"display_name":"Ann"}}"#)
    }
    let tokens = try Scene(transport).tokens(.command(["echo", "printed"]))
    await tokens.bind(to: "ann")
    let first = Task { try await tokens.token(refusing: "an-earlier-token") }
    await asked.wait()
    first.cancel()
    let error = await #expect(throws: StoreError.self) { try await first.value }
    #expect(error?.kind == .cancelled)
    let second = Task { try await tokens.token(refusing: "an-earlier-token") }
    while await tokens.waiting < 1 { await Task.yield() }
    gate.open()
    #expect(try await second.value == "printed")
    #expect(transport.recorded.count == 2)
  }

  @Test func `a command that prints the refused token again is the end`() async throws {
    let scene = try Scene()
    let tokens = scene.tokens(.command(["echo", "same-token"]))
    #expect(try await tokens.token(refusing: nil) == "same-token")
    let error = await #expect(throws: StoreError.self) { try await tokens.token(refusing: "same-token") }
    #expect(error?.kind == .notSignedIn)
    #expect(error?.description.contains("same-token") == false)
  }

  @Test func `nothing of a variable's or a command's token is written`() async throws {
    let scene = try Scene()
    _ = try await scene.tokens(.variable(name: "BYTECLUB_TOKEN", token: "given-token")).token(refusing: nil)
    _ = try await scene.tokens(.command(["echo", "given-token"])).token(refusing: nil)
    #expect(try scene.file.read() == nil)
    #expect(scene.folder.text("data") == nil)
  }
}
