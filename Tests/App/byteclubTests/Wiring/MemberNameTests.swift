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
