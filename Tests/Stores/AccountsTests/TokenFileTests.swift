import FileStores
import Foundation
import POSIX
import TestKit
import Testing

@testable import Accounts

@Suite(.serialized) struct TokenFileTests {
  private static let grant = Grant(
    accessToken: "first-access", refreshToken: "first-refresh", obtained: 5, expires: 9, accountID: "dbid:1")

  private func account(_ server: String = "https://club.example", key: String? = nil) throws -> Account {
    try Account(club: "lab", service: AccountService(server: server), appKey: key)
  }

  private func mode(_ path: String) -> mode_t {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts.st_mode & 0o7777 : 0
  }

  @Test(arguments: [mode_t(0), 0o022, 0o077, 0o277])
  func `whatever the umask, the file is 0600 in directories of 0700, and nothing else is left`(_ mask: mode_t) throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(directory: folder.path + "/share/byteclub/tokens", account: try account())
    let before = umask(mask)
    defer { umask(before) }
    try file.write(Self.grant)
    try file.write(Self.grant)
    #expect(mode(file.path) == 0o600)
    #expect(mode(folder.path + "/share/byteclub/tokens") == 0o700)
    #expect(try file.read() == Self.grant)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/share/byteclub/tokens").count == 1)
    if mask & 0o700 == 0 { #expect(mode(folder.path + "/share/byteclub") == 0o700) }
  }

  @Test func `a sign-in that could not be read again does not replace a good one`() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(directory: folder.path + "/tokens", account: try account())
    try file.write(Self.grant)
    let odd = Grant(accessToken: "two words", refreshToken: nil, obtained: -1, expires: nil, accountID: nil)
    let error = #expect(throws: StoreError.self) { try file.write(odd) }
    #expect(error?.kind == .badInput)
    #expect(try file.read() == Self.grant)
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o666] as [mode_t])
  func `a file that others can read or change is refused, with the command that mends it`(_ mode: mode_t) throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(directory: folder.path + "/tokens", account: try account())
    try file.write(Self.grant)
    chmod(file.path, mode)
    let error = #expect(throws: StoreError.self) { try file.read() }
    #expect(error?.kind == .notPermitted)
    #expect(error?.remedy.contains("chmod 600 \(file.path)") == true)
    chmod(file.path, 0o600)
    #expect(try file.read() == Self.grant)
  }

  @Test func `a directory that others can change is refused, and mended by the next sign-in`() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(directory: folder.path + "/tokens", account: try account())
    try file.write(Self.grant)
    chmod(folder.path + "/tokens", 0o777)
    let error = #expect(throws: StoreError.self) { try file.read() }
    #expect(error?.kind == .notPermitted)
    #expect(error?.remedy.contains("chmod 700") == true)
    try file.write(Self.grant)
    #expect(mode(folder.path + "/tokens") == 0o700)
  }

  @Test func `a file of another user is refused`() throws {
    let folder = try TemporaryFolder()
    let directory = folder.path + "/tokens"
    try TokenFile(directory: directory, account: try account()).write(Self.grant)
    let other = TokenFile(directory: directory, account: try account(), user: geteuid() + 1)
    let error = #expect(throws: StoreError.self) { try other.read() }
    #expect(error?.kind == .notPermitted)
    // The folder itself, so that not even its files are looked at.
    #expect(error?.message.hasPrefix("\"\(directory)\" belongs to another user") == true)
  }

  @Test(.enabled(if: geteuid() == 0)) func `a file that was given away is refused`() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(directory: folder.path + "/tokens", account: try account())
    try file.write(Self.grant)
    try #require(chown(file.path, 12_345, 12_345) == 0)
    let error = #expect(throws: StoreError.self) { try file.read() }
    #expect(error?.kind == .notPermitted)
    #expect(error?.message.contains("belongs to another user") == true)
  }

  @Test func `links, pipes and folders in its place are refused at once`() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(directory: folder.path + "/tokens", account: try account())
    try file.write(Self.grant)
    let elsewhere = folder.path + "/elsewhere"
    try #require(rename(file.path, elsewhere) == 0)
    let places: [() -> Void] = [
      { symlink(elsewhere, file.path) }, { mkfifo(file.path, 0o600) }, { mkdir(file.path, 0o700) },
    ]
    for make in places {
      make()
      let error = #expect(throws: StoreError.self) { try file.read() }
      #expect(error?.kind == .notPermitted)
      POSIX.remove(file.path)
    }
  }

  @Test func `a link in its place is replaced, not followed, by a sign-in`() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(directory: folder.path + "/tokens", account: try account())
    try file.write(Self.grant)
    unlink(file.path)
    try Data("mine".utf8).write(to: URL(filePath: folder.path + "/mine"))
    symlink(folder.path + "/mine", file.path)
    try file.write(Self.grant)
    #expect(folder.text("mine") == "mine")
    #expect(try file.read() == Self.grant)
  }

  @Test(arguments: [
    "", "{", "null", #"{"version":2}"#, String(repeating: "[", count: 200_000),
    #"{"version":1,"origin":"https://club.example","appKey":"byteclub","accessToken":"a\nb","obtained":1}"#,
    #"{"version":1,"origin":"https://club.example","appKey":"byteclub","accessToken":"a","obtained":-9223372036854775808}"#,
    #"{"version":1,"origin":"https://evil.example","appKey":"byteclub","accessToken":"a","obtained":1}"#,
    #"{"version":1,"origin":"https://club.example","appKey":"other","accessToken":"a","obtained":1}"#,
  ])
  func `a damaged file, and one with another service's token in it, is no sign-in`(_ text: String) throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(directory: folder.path + "/tokens", account: try account())
    try file.write(Self.grant)
    let handle = try #require(FileHandle(forWritingAtPath: file.path))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
    let error = #expect(throws: StoreError.self) { try file.read() }
    #expect(error?.kind == .notSignedIn)
    #expect(error?.remedy == "Sign in with: byteclub login --club lab")
  }

  @Test func `every origin and app key has a file of its own`() throws {
    let folder = try TemporaryFolder()
    let accounts = [
      try account(), try account(key: "other"), try account("https://club.example:8443"),
      try account("https://club.example.evil"), try account("http://localhost"), try account("https://localhost"),
    ]
    for (number, account) in accounts.enumerated() {
      let grant = Grant(accessToken: "t\(number)", refreshToken: nil, obtained: 0, expires: nil, accountID: nil)
      try TokenFile(directory: folder.path + "/tokens", account: account).write(grant)
    }
    for (number, account) in accounts.enumerated() {
      #expect(
        try TokenFile(directory: folder.path + "/tokens", account: account).read()?.accessToken == "t\(number)")
    }
    #expect(Set(accounts.map { TokenFile(directory: "/x", account: $0).path }).count == accounts.count)
  }

  @Test func `nothing there is no error, and nothing is made by looking`() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(directory: folder.path + "/tokens", account: try account())
    #expect(try file.read() == nil)
    #expect(try file.remove() == false)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    try file.write(Self.grant)
    #expect(try file.remove())
    #expect(try file.read() == nil)
  }

  @Test func `an unsafe file can be forgotten`() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(directory: folder.path + "/tokens", account: try account())
    try file.write(Self.grant)
    chmod(file.path, 0o644)
    #expect(try file.remove())
    #expect(try file.read() == nil)
  }

  @Test func `one at a time has the lock, also after its holder was not tidy`() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(directory: folder.path + "/tokens", account: try account())
    let first = try #require(try file.lock())
    #expect(try file.lock() == nil)
    let other = TokenFile(directory: folder.path + "/tokens", account: try account(key: "other"))
    try #require(try other.lock()).release()
    first.release()
    try #require(try file.lock()).release()
  }

  @Test func `a reader beside a hundred writes always sees a whole sign-in`() async throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(directory: folder.path + "/tokens", account: try account())
    try file.write(Self.grant)
    let writer = Task.detached {
      for number in 0..<100 {
        try file.write(
          Grant(
            accessToken: String(repeating: "a", count: number + 1), refreshToken: nil, obtained: Int64(number),
            expires: nil, accountID: nil))
      }
    }
    for _ in 0..<300 { #expect(try file.read() != nil) }
    try await writer.value
    #expect(try file.read()?.obtained == 99)
  }
}
