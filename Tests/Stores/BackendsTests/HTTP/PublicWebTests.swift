import FileStores
import TestKit
import Testing

@testable import Backends

@Suite("The public web", .timeLimit(.minutes(5)))
struct PublicWebTests {
  @Test(
    arguments: [
      "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "100.64.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
      "192.168.1.1", "192.0.2.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "255.255.255.255", "::", "::1",
      "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "fe80::1", "fc00::1", "fd12::1", "ff02::1",
      "2001:db8::1",
      "2001::1", "2002:7f00:1::", "", "localhost", "1.2.3", "0x7f000001", "fe80::1%lo",
    ])
  func `private, reserved and malformed addresses are not public`(address: String) {
    #expect(!IPAddress.isPublic(address))
  }

  @Test(
    arguments: [
      "1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.255.255", "100.128.0.0", "192.167.255.255",
      "223.255.255.255", "::ffff:8.8.8.8", "2606:4700::1111", "2a00:1450::1", "2001:4860:4860::8888",
    ])
  func `addresses of the internet are public`(address: String) {
    #expect(IPAddress.isPublic(address))
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `a name of this machine gets no request`(host: String) async throws {
    let heads = Counter()
    try await withServer({ connection in
      if connection.head() != nil { heads.add(1) }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
    }) { server in
      let error = await #expect(throws: StoreError.self) {
        try await PublicWeb().read("http://\(host):\(server.port)/secret") { _ throws(StoreError) in }
      }
      #expect(error?.kind == .notPermitted)
      #expect(error?.message == "http://\(host):\(server.port) is not a public address.")
    }
    #expect(heads.value == 0)
  }

  @Test(arguments: [301, 302, 404, 500])
  func `any status but 200 is an error, and its body is not content`(status: Int) async throws {
    try await withAnswers({ _ in RawAnswer(status, headers: ["Location": "http://127.0.0.1/"], body: [7]) }) {
      server in
      let error = await #expect(throws: StoreError.self) {
        try await PublicWeb(transport(server.url)).read(server.url) { _ throws(StoreError) in
          Issue.record("The body of status \(status) was passed on.")
        }
      }
      #expect(error?.message.contains("\(status)") == true)
    }
  }
}
