import FileStores
import TestKit
import Testing
import Transfers

@testable import byteclub

/// Transfers of a club that an invitation has moved to another address.
@Suite struct MovedTransferTests {
  @Test func `a transfer goes on at the club's new address, for the account that began it and for no other`()
    async throws
  {
    let scene = try JoinScene([JoinScene.answer(), JoinScene.answer()])
    let name = try await scene.join().plan.name
    func setup() throws -> ClubSetup {
      try ClubSetup(StartOptions(club: name), environment: scene.home.environment)
    }
    let before = try setup()
    let word = StoreWord.of(before, await ClubOwner.find(before))
    try await scene.join(JoinScene.line("https://new.example"), name: name)
    let after = try setup()
    #expect(after.formerPlace == before.choice.place)
    #expect(StoreWord.of(after, await ClubOwner.find(after)) != word)

    let stores = ClubStores(TransferBase(after))
    func open(_ word: String) async throws(StoreError) {
      _ = try await stores.store(
        for: TransferOrder(
          club: name, store: word, work: .download(folder: scene.home.folder.path),
          path: try StorePath("photos/a.jpg"), name: "a.jpg"))
    }
    try await open(word)
    #expect(word.contains("dbid:ann"))
    let others = await #expect(throws: StoreError.self) { try await open(word.replacing("dbid:ann", with: "dbid:eve")) }
    #expect(others?.kind == .notSignedIn)
    // An order of another folder.
    let third = await #expect(throws: StoreError.self) {
      try await open(word.replacing("\n", with: "\n/elsewhere", maxReplacements: 1))
    }
    #expect(third?.kind == .badInput)
    // An order of an earlier version names no account.
    let old = await #expect(throws: StoreError.self) { try await open(StoreWord.parts(word).store) }
    #expect(old?.kind == .badInput)
  }
}
