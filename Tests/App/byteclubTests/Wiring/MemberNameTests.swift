import Basics
import FileStores
import Synchronization
import TestKit
import Testing

@testable import byteclub

@Suite struct MemberNameTests {
  @Test(arguments: [
    ("Ann", "Ann Lee", "Ann"), (nil, "Ann Lee", "Ann Lee"), ("", "Ann Lee", "Ann Lee"), (nil, "", MemberName.system),
    (nil, nil, MemberName.system),
  ])
  func `the config's name comes first, then the account's, then the one on this machine`(
    configured: String?, account: String?, expected: String
  ) async {
    var name = MemberName(configured: configured, account: nil)
    if let account {
      name = MemberName(configured: configured, account: { () async throws(StoreError) in account })
    }
    #expect(await name.find() == expected)
    #expect(!expected.isEmpty)
  }

  @Test func `a service that does not answer leaves the name on this machine`() async {
    let name = MemberName(
      configured: nil, account: { () async throws(StoreError) in throw StoreError(.offline, "No connection.") })
    #expect(await name.find() == MemberName.system)
  }

  @Test(arguments: [(nil, "Ann"), ("nick", "nick")])
  func
    `while the service does not answer, remarks have the account's kept name, and conflict copies the config's first`(
      configured: String?, expected: String
    ) async
  {
    let isAway = Mutex(true)
    let name = MemberName(
      configured: configured,
      account: { () async throws(StoreError) in
        if isAway.withLock({ $0 }) { throw StoreError(.offline, "No connection.") }
        return "Ann Lee"
      }, kept: { "Ann" })
    let account = AccountName(name)
    #expect(await name.find() == expected)
    #expect(await account.find() == "Ann")
    // A kept name is no answer.
    isAway.withLock { $0 = false }
    #expect(await account.find() == "Ann Lee")
    isAway.withLock { $0 = true }
    #expect(await account.find() == "Ann Lee")
  }

  @Test func `a kept name belongs to one account, and the newest counts`() throws {
    let folder = try TemporaryFolder()
    func name(_ key: String) -> KeptName { KeptName(state: folder.path, key: key) }
    #expect(name("club\nann").text == nil)
    for text in ["Ann", "Ann Lée"] {
      try name("club\nann").keep(text)
      #expect(name("club\nann").text == text)
    }
    #expect(name("club\neve").text == nil)
  }

  @Test(arguments: [
    "", "Ann\n", "Ann\u{1B}[31m", "\u{202E}nnA", "Ann\u{FFFD}", String(repeating: "a", count: 1025), "\0\0\0",
  ])
  func `a damaged file has no name, and the next answer repairs it`(damage: String) throws {
    let folder = try TemporaryFolder()
    let kept = KeptName(state: folder.path, key: "club")
    try kept.keep("Ann")
    let directory = try PrivateDirectory(making: folder.path + "/names")
    for file in try directory.names() { try directory.write(Array(damage.utf8), as: file) }
    #expect(kept.text == nil)
    try kept.keep("Ann")
    #expect(kept.text == "Ann")
  }

  @Test(arguments: [
    ("ann", "Ann Lee,Room 5,,", "Ann Lee"), ("ann", " Ann Lee ", "Ann Lee"), ("ann", "& Lee", "Ann Lee"),
    ("ann", "", "ann"), ("ann", ",,,", "ann"), ("", "", "user 1000"),
  ])
  func `the full name is the comment's first field, else the login name, else the number`(
    login: String, comment: String, name: String
  ) {
    #expect(SystemUser(number: 1000, login: login, comment: comment).spokenName == name)
  }
}
