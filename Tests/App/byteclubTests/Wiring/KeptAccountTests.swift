import Accounts
import ArgumentParser
import Basics
import FileStores
import TestKit
import Testing

@testable import byteclub

/// The service's last word of an account, as this machine keeps it.
@Suite struct KeptAccountTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a reader's word belongs to one account, is fresh for a day, and holds after that`() throws {
    let account = KeptAccount(state: folder.path, key: "https://club\naccount ann")
    #expect(!account.isReader && !account.isFresh(at: 1000))
    try account.keep("Ann", isReader: true, at: 1000)
    #expect(account.isReader && account.isFresh(at: 1000) && account.isFresh(at: 1000 + 24 * 3600 - 1))
    #expect(account.isReader && !account.isFresh(at: 1000 + 24 * 3600))
    // The clock was put back.
    #expect(!account.isFresh(at: 999))
    for damaged in [Int64.min, .max] {
      try account.keep("Ann", isReader: true, at: damaged)
      #expect(account.isReader && !account.isFresh(at: 1000))
    }
    #expect(!KeptAccount(state: folder.path, key: "https://club\naccount ben").isReader)
    try account.keep("Ann", isReader: false, at: 2000)
    #expect(!account.isReader && account.isFresh(at: 2000))
  }

  @Test func `the same word renews a file that is not fresh, and no other`() throws {
    let account = KeptAccount(state: folder.path, key: "club")
    try account.keep("Ann", isReader: true, at: 1000)
    try account.keep("Ann", isReader: true, at: 2000)
    #expect(account.isFresh(at: 1000))
    try account.keep("Ann", isReader: true, at: 1000 + 24 * 3600)
    #expect(!account.isFresh(at: 1000) && account.isFresh(at: 1000 + 24 * 3600))
  }

  @Test func `a kept name belongs to one account, and the newest counts`() throws {
    func account(_ key: String) -> KeptAccount { KeptAccount(state: folder.path, key: key) }
    #expect(account("club\nann").name == nil)
    for name in ["Ann", "Ann Lée"] {
      try account("club\nann").keep(name, isReader: false, at: 1000)
      #expect(account("club\nann").name == name)
    }
    #expect(account("club\neve").name == nil)
  }

  private static let noNames = [
    "", "Ann\n", "Ann\u{1B}[31m", "\u{202E}nnA", "Ann\u{FFFD}", String(repeating: "a", count: 1025), "\0\0\0",
  ]

  @Test(arguments: noNames)
  func `a damaged file has no name, and the next answer repairs it`(damage: String) throws {
    let account = KeptAccount(state: folder.path, key: "club")
    for text in [damage, "reader 1000\n\(damage)"] {
      try account.keep("Ann", isReader: true, at: 1000)
      let directory = try PrivateDirectory(making: folder.path + "/readers")
      for file in try directory.names() { try directory.write(Array(text.utf8), as: file) }
      #expect(account.name == nil)
      #expect(account.isReader == (text != damage))
      try account.keep("Ann", isReader: true, at: 1000)
      #expect(account.name == "Ann" && account.isReader)
    }
  }

  @Test(arguments: noNames)
  func `a name of the service that is none leaves the one before, and the rest of its word counts`(name: String) throws
  {
    let account = KeptAccount(state: folder.path, key: "club")
    try account.keep(name, isReader: false, at: 1000)
    #expect(account.name == nil && account.isFresh(at: 1000))
    try account.keep("Ann", isReader: false, at: 1000)
    try account.keep(name, isReader: true, at: 1000)
    #expect(account.name == "Ann" && account.isReader)
  }

  @Test func `the file of an earlier version has a reader's word and no name`() throws {
    let account = KeptAccount(state: folder.path, key: "club")
    try StateFolder(folder.path + "/readers", club: "club").write("reader 1000", as: "reader")
    #expect(account.isReader && account.isFresh(at: 1000) && account.name == nil)
    try account.keep("Ann", isReader: true, at: 1000)
    #expect(account.name == "Ann")
  }

  @Test func `verbs that rename, remove, restore, send, share or revoke are refused to a reader at once`() throws {
    let verbs: [any ClubVerb] = try [
      NoteMove.parse(["a", "b"]), NoteRemove.parse(["a"]), NoteRestore.parse(["a", "r"]), NoteLink.parse(["a"]),
      PhotoLink.parse(["a.jpg"]), PhotoAsk.parse([]), LinkRemove.parse(["a"]), DraftSend.parse([]),
    ]
    for verb in verbs { #expect(verb.changesClub, "\(verb)") }
  }
}
