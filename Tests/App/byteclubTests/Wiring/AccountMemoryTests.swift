import Database
import FileStores
import TestKit
import Testing

@testable import byteclub

struct AccountMemoryTests {
  @Test func `a token's account is known again, the newest one was the last, and no token is in the file`() throws {
    let folder = try TemporaryFolder()
    let memory = AccountMemory(data: folder.path, place: "/ at http://127.0.0.1:1")
    #expect(memory.last == nil)
    let (ann, eve) = (
      AccountMemory.words(of: "ann's token", at: "http://127.0.0.1:1"),
      AccountMemory.words(of: "eve's token", at: "http://127.0.0.1:1")
    )
    #expect(ann != AccountMemory.words(of: "ann's token", at: "http://127.0.0.1:2"))
    try memory.remember("dbid:ann", of: ann)
    try memory.remember("dbid:eve", of: eve)
    #expect(memory.account(of: ann) == "dbid:ann" && memory.account(of: eve) == "dbid:eve")
    #expect(memory.last == "dbid:eve")
    try memory.remember("dbid:ann", of: ann)
    #expect(memory.last == "dbid:ann")
    #expect(AccountMemory(data: folder.path, place: "elsewhere").last == nil)
    for name in try PrivateDirectory(making: folder.path + "/accounts").names() {
      let text = String(
        decoding: try PrivateDirectory(making: folder.path + "/accounts").read(name) ?? [], as: UTF8.self)
      #expect(text.contains("dbid:ann") && !text.contains("token"))
    }
  }

  @Test func `of a program's ever new tokens only some are remembered`() throws {
    let folder = try TemporaryFolder()
    let memory = AccountMemory(data: folder.path, place: "p")
    for number in 0..<60 { try memory.remember("a", of: "token\(number)") }
    #expect(memory.account(of: "token0") == nil && memory.account(of: "token59") == "a")
  }

  @Test func `an order names its account, and that of an earlier version none`() {
    #expect(StoreWord.parts("dropbox:https://b.example\n/c\n").account == nil)
    let parts = StoreWord.parts("dropbox:https://b.example\n/c\n\u{1F}account dbid:ann")
    #expect(parts.store == "dropbox:https://b.example\n/c\n" && parts.account == "account dbid:ann")
    #expect(ClubOwner(place: "p").has(nil) && !ClubOwner(place: "p").has("account dbid:ann"))
  }
}
