import Accounts
import Backends
import FileStores
import Testing

@testable import byteclub

struct JoinPlanTests {
  @Test(arguments: [
    ("club.example", "Garage", "club-garage"), ("club.example", "club", "club"), ("ann.example", "", "ann"),
    ("127.0.0.1", "Our Club!", "our-club"), ("[::1]", "x", "x"), ("localhost", "root", "root"),
    ("10.0.0.7", "", "club"), ("h.example", "../../x", "h-x"),
    ("h.example", "\u{1B}]0;x\u{7}\n", "h-0-x"), ("h.example", "Fotoklub Ärger", "h-fotoklub-rger"),
    ("_.example", "…", "club"), ("home", "home", "home-2"), ("h.example", "taken", "h-taken-3"),
    (
      String(repeating: "a", count: 60) + ".example", String(repeating: "b", count: 300),
      "aaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbb"
    ),
  ])
  func `a club's name here is a plain word, whatever the server calls itself`(
    _ row: (host: String, club: String, name: String)
  ) {
    let name = JoinPlanner.name(host: row.host, club: row.club, taken: ["home", "h-taken", "h-taken-2"])
    #expect(name == row.name && DropIn.isName(name))
  }

  @Test func `the line for a next machine has the new key's pin while the key changes`() throws {
    let pins = try ["A", "E"].map { try #require(KeyPin(base64url: String(repeating: "A", count: 42) + $0)) }
    var store = StoreRegistry.standard.served(at: "https://club.example")
    #expect(try DeviceLine.pin(of: store) == nil)
    store.options["pin"] = pins.map(\.configText).joined(separator: ";")
    #expect(try DeviceLine.pin(of: store) == pins[1])
  }

  @Test(arguments: ["", "-a", "a-", "A", "a.b", "a/b", "..", "a b", "ä", String(repeating: "a", count: 41)])
  func `other words are no names`(_ text: String) {
    #expect(!DropIn.isName(text))
  }
}
