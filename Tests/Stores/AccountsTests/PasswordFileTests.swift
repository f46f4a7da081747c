import Backends
import Basics
import FileStores
import POSIX
import TestKit
import Testing

@testable import Accounts

@Suite struct PasswordFileTests {
  private let folder: TemporaryFolder
  private let member = SecretSignIn.Member(user: "ann", origin: "https://cloud.example.org")

  init() throws { folder = try TemporaryFolder() }

  private func file(_ member: SecretSignIn.Member) -> PasswordFile {
    PasswordFile(directory: folder.file("tokens"), member: member)
  }

  @Test func `a password comes back, for its member and server alone, and only its owner can read it`() throws {
    #expect(try file(member).read() == nil)
    try file(member).write("hafen: \"é\"")
    #expect(try file(member).read() == "hafen: \"é\"")
    let name = try #require(folder.names(in: "tokens").first)
    #expect(folder.mode("tokens/\(name)") == 0o600 && folder.mode("tokens") == 0o700)
    #expect(try file(.init(user: "ben", origin: member.origin)).read() == nil)
    #expect(try file(.init(user: "ann", origin: "https://other.example")).read() == nil)
    #expect(try file(member).remove() && !file(member).remove())
  }

  @Test func `a file that others can read, or that is damaged, is not used`() throws {
    try file(member).write("x")
    chmodFile(0o644)
    #expect(throws: StoreError.self) { try file(member).read() }
    chmodFile(0o600)
    let name = try #require(folder.names(in: "tokens").first)
    try folder.write("tokens/\(name)", Array("{}".utf8))
    chmodFile(0o600)
    #expect(throws: StoreError.self) { try file(member).read() }
  }

  private func chmodFile(_ mode: UInt32) {
    for name in folder.names(in: "tokens") { chmod(folder.file("tokens/\(name)"), mode) }
  }

  @Test func `the tokens of a store without a program are the kept password`() async throws {
    var signIn = SecretSignIn(setting: "passwordCommand", StoreDescription(kind: "webdav"), member: member)
    let tokens = SecretTokens(
      club: "cloud", signIn, variable: nil, directory: folder.file("tokens"), loginCommand: "byteclub login",
      pool: BlockingPool())
    let error = await #expect(throws: StoreError.self) { try await tokens.token(refusing: nil) }
    #expect(error?.kind == .notSignedIn && error?.remedy == "Sign in with: byteclub login")
    try file(member).write("hafen")
    #expect(try await tokens.token(refusing: nil) == "hafen")
    await #expect(throws: StoreError.self) { try await tokens.token(refusing: "hafen") }
    signIn.command = ["/bin/echo", "other"]
    let program = SecretTokens(
      club: "cloud", signIn, variable: nil, directory: folder.file("tokens"), pool: BlockingPool())
    #expect(try await program.token(refusing: nil) == "other")
  }
}
