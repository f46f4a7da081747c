import Backends
import Basics
import FileStores
import Synchronization
import TestKit

/// A kind of store that byteclub does not know: shelves in memory, each by its label, as long as the test has them.
struct ShelfKind: StoreKind {
  private final class Shelves: Sendable {
    let stores = Mutex<[String: MemoryStore]>([:])
  }

  let name = "shelf"
  let about = "a shelf of the tests"
  let settings = [
    StoreSetting("label", required: "say which shelf it is", about: "The label of the shelf of the club NAME."),
    StoreSetting("side", .choice(["left", "right"]), about: "The side of the hall where it stands."),
    StoreSetting("path", isSecret: true, about: "The way to it, in words."),
  ]
  private let shelves = Shelves()

  func place(of store: StoreDescription) -> StorePlace { .elsewhere("the shelf \(store.options["label"] ?? "")") }

  func check(_ store: StoreDescription) throws(StoreError) {
    guard store.options["label"] != "roof" else {
      throw StoreError(.badInput, "There is no shelf on the roof.", remedy: "Set \"label\" to another one.")
    }
  }

  func open(
    _ store: StoreDescription, pool: BlockingPool, network: StoreNetwork?
  ) throws(StoreError) -> any FileStore {
    shelf(try store.required("label"))
  }

  func shelf(_ label: String) -> MemoryStore {
    shelves.stores.withLock { stores in
      if let known = stores[label] { return known }
      let made = MemoryStore()
      stores[label] = made
      return made
    }
  }
}

/// A kind behind a network, whose members have a name and a password.
struct CloudKind: StoreKind {
  let name = "cloud"
  let about = "a cloud of the tests"
  let settings = [
    StoreSetting("url", required: "say where it is", about: "The address of the club NAME."),
    StoreSetting("user", required: "say who you are there", about: "Your name there."),
    StoreSetting("passwordCommand", .program, about: "A program that prints your password there."),
    StoreSetting("caFile", .path, about: "A file of certificates."),
  ]

  func place(of store: StoreDescription) -> StorePlace { .elsewhere(store.options["url"] ?? "") }

  func signIn(to store: StoreDescription) -> StoreSignIn { .secret(SecretSignIn(setting: "passwordCommand", store)) }

  func httpOptions(for store: StoreDescription) throws(StoreError) -> HTTPOptions? {
    guard let origin = HTTPOrigin(store.options["url"] ?? "") else {
      throw StoreError(.badInput, "\"url\" is no address.", remedy: "Begin it with https://.")
    }
    return HTTPOptions(origins: [origin], caFile: store.options["caFile"], allowPlainHTTP: store.allowsPlainHTTP)
  }

  func open(
    _ store: StoreDescription, pool: BlockingPool, network: StoreNetwork?
  ) throws(StoreError) -> any FileStore {
    guard let network else { throw StoreError(.offline, "There is no network.") }
    return Cloud(url: try store.required("url"), user: try store.required("user"), network: network)
  }

  private struct Cloud: StoreAround {
    let base: any FileStore = MemoryStore()
    let url: String
    let user: String
    let network: StoreNetwork

    func list(
      _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
    ) async throws(StoreError) -> ListPage {
      var refused: String?
      for _ in 0..<2 {
        let password = try await network.tokens.token(refusing: refused)
        let request = HTTPRequest(.get, url, headers: ["Authorization": "\(user):\(password)"])
        if try await network.transport.call(request).0.isSuccess {
          return try await base.list(folder, options, after: cursor)
        }
        refused = password
      }
      throw StoreError(.notSignedIn, "Refused.")
    }
  }
}
