import FileStores
import Testing

@testable import Accounts

struct AccountServiceTests {
  @Test(arguments: [
    ("https://club.example", "https://club.example", "club.example"),
    ("https://Club.Example:8443/", "https://club.example:8443", "club.example:8443"),
    ("HTTPS://club.example:443", "https://club.example", "club.example"),
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080", "127.0.0.1:8080"),
    ("http://localhost", "http://localhost", "localhost"),
    ("https://[::1]:8443", "https://[::1]:8443", "[::1]:8443"),
  ])
  func `an origin has one spelling`(_ row: (server: String, origin: String, name: String)) throws {
    let service = try AccountService(server: row.server)
    #expect(service.origin == row.origin)
    #expect(service.name == row.name)
    #expect(service.tokenAddress == row.origin + "/oauth2/token")
    #expect(service.authorizeAddress == row.origin + "/oauth2/authorize")
  }

  @Test(arguments: [
    "", "club.example", "ftp://club.example", "https://", "https://club.example/dropbox", "https://club.example//",
    "https://club.example?x", "https://club.example/?x", "https://club.example#x", "https://ray@club.example",
    "https://ray:secret@club.example", "https://club.example:0", "https://club.example:70000", "https://club.example:",
    "https://club example", "https://club.example\\@evil.example", "https://clüb.example",
  ])
  func `what is no origin is refused`(_ server: String) {
    let error = #expect(throws: StoreError.self) { try AccountService(server: server) }
    #expect(error?.kind == .badInput)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test func `a server that is neither encrypted nor this machine is refused, unless that is allowed`() throws {
    #expect(throws: StoreError.self) { try AccountService(server: "http://club.example") }
    #expect(throws: StoreError.self) { try AccountService(server: "http://127.0.0.1.evil.example") }
    #expect(try AccountService(server: "http://club.example", allowingPlain: true).origin == "http://club.example")
  }

  @Test func `Dropbox wants an app key, a server of one's own has one by itself`() throws {
    let own = try AccountService(server: "https://club.example")
    #expect(try Account(club: "lab", service: own, appKey: nil).appKey == "byteclub")
    #expect(try Account(club: "lab", service: own, appKey: "abc123").appKey == "abc123")
    let error = #expect(throws: StoreError.self) { try Account(club: "garage", service: .dropbox, appKey: nil) }
    #expect(error?.kind == .badInput)
    #expect(error?.remedy.contains("clubs.garage.appKey") == true)
  }

  @Test(arguments: ["", "a b", "a&b", "ключ", "../x", String(repeating: "a", count: 129)])
  func `what is no app key is refused`(_ key: String) {
    #expect(throws: StoreError.self) { try Account(club: "garage", service: .dropbox, appKey: key) }
  }
}
