import FileStores
import TestKit
import Testing

@testable import Backends

@Suite("HTTP's values")
struct HTTPValues {
  @Test func `Names of header fields are looked up without regard to case, and keep their order`() {
    var headers: HTTPHeaders = ["Content-Type": "a", "X-One": "1", "x-one": "2"]
    #expect(headers["content-type"] == "a")
    #expect(headers.values(of: "X-ONE") == ["1", "2"])
    headers["x-oNe"] = "3"
    #expect(headers.fields.map(\.name) == ["Content-Type", "x-oNe"])
    headers["CONTENT-TYPE"] = nil
    #expect(headers.fields.map(\.value) == ["3"])
  }

  @Test(arguments: [
    ("a\r\nX-Evil: 1", "a  X-Evil: 1"), (" padded\t", "padded"), ("nul\0byte", "nul byte"), ("\r\n", ""),
    ("caf\u{E9}", "caf\u{E9}"),
  ])
  func `A value cannot leave its line`(value: String, kept: String) {
    var headers = HTTPHeaders()
    headers.append("X", value)
    #expect(headers["X"] == kept)
  }

  @Test func `A name keeps its token characters alone, and without any there is no field`() {
    var headers = HTTPHeaders()
    headers.append("X: y\r\nZ", "1")
    headers.append(" :\r\n", "2")
    #expect(headers.fields.map(\.name) == ["XyZ"])
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Tue, 29 Feb 2028 23:59:60 GMT", 1_835_481_600), ("Fri, 31 Dec 1999 23:59:59 GMT", 946_684_799),
    ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
  ])
  func `Dates of all three forms are understood`(text: String, seconds: Int64) {
    #expect(HTTPDate.seconds(of: text) == seconds)
  }

  @Test(arguments: [
    "", "soon", "Sun, 06 Nov 1994 08:49:37", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 99999 08:49:37 GMT",
  ])
  func `What is no date is nil`(text: String) {
    #expect(HTTPDate.seconds(of: text) == nil)
  }

  @Test(arguments: [
    ("0", Duration.seconds(0)), ("120", .seconds(120)), ("99999999999999999999", .seconds(2_592_000)),
    ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(37)), ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
    ("Sun, 06 Nov 2094 08:49:37 GMT", .seconds(2_592_000)), ("-1", nil), ("1.5", nil), ("", nil), ("soon", nil),
  ])
  func `Retry-After is seconds or a date`(value: String, expected: Duration?) {
    #expect(HTTPResponse(429, headers: ["Retry-After": value]).retryAfter(now: 784_111_740) == expected)
    #expect(HTTPResponse(429).retryAfter(now: 0) == nil)
  }

  @Test(arguments: [
    ("https://API.dropboxapi.com/2/x?y=1", "https://api.dropboxapi.com"), ("http://[::1]:80/", "http://[::1]"),
    ("HTTPS://h:8443", "https://h:8443"), ("https://h?x=http://y", "https://h"), ("https://h:443/:80", "https://h"),
  ])
  func `An origin is scheme, host and port`(url: String, origin: String) {
    #expect(HTTPOrigin(url)?.description == origin)
  }

  @Test(arguments: [
    "", "/2/x", "ftp://h/", "https://", "https:///x", "https://u:p@h/", "https://h@evil/", "https://h:0/",
    "https://h:/",
    "https://h:99999/", "https://h:+1/", "https://h\\@evil/", "https://h/a b", "https://h/\u{E9}", "https://h/\r\nX: y",
    "https://[::1/", "https://[]/", "https://h%2Fx/", "file:///etc/passwd", "https:/h/", "javascript://h/",
  ])
  func `An address that could mean two things has no origin`(url: String) {
    #expect(HTTPOrigin(url) == nil)
  }

  @Test(arguments: [
    ("http://localhost", true), ("http://127.0.0.1:1", true), ("http://127.9.8.7", true), ("http://[::1]", true),
    ("http://[0:0:0:0:0:0:0:1]:8080", true), ("http://[0000::0001]", true), ("http://ip6-localhost:8080", true),
    ("http://[1::1]", false), ("http://[::1:1]", false), ("http://[::ffff:10.0.0.1]", false),
    ("http://127.0.0.1.evil.example", false), ("http://127.evil", false), ("http://localhost.evil", false),
    ("http://128.0.0.1", false), ("http://127.0.0.256", false), ("http://127.0.0", false), ("http://[::2]", false),
    ("http://[::ffff:127.0.0.1]", true), ("http://club.localhost", true), ("http://LOCALHOST", true),
    ("http://[::ffff:128.0.0.1]", false), ("http://notlocalhost", false),
  ])
  func `Loopback is this machine alone`(url: String, expected: Bool) {
    #expect(HTTPOrigin(url)?.isLoopback == expected)
  }

  @Test func `Proxies are read from the environment as curl reads them`() {
    let all = ["HTTPS_PROXY": "http://a:1", "HTTP_PROXY": "http://evil", "no_proxy": "x,y", "ALL_PROXY": "http://b"]
    let proxies = HTTPProxies { all[$0] }
    #expect(proxies == HTTPProxies(encrypted: "http://a:1", plain: "http://b", except: "x,y"))
    #expect(HTTPProxies { ["https_proxy": "", "HTTPS_PROXY": "p"][$0] }.encrypted == "p")
    #expect(HTTPProxies { _ in nil } == HTTPProxies())
  }

  @Test(arguments: [
    ("*.invalid", "https://club.invalid", true), ("*.invalid", "https://invalid", true),
    (".invalid", "https://a.b.invalid", true),
    ("club.invalid:443", "https://club.invalid", true), ("club.invalid:443", "https://club.invalid:444", false),
    ("*.invalid:80", "http://club.invalid", true), ("a, CLUB.invalid\tb", "https://club.invalid", true),
    ("club*", "https://club2.invalid", true), ("10.*", "http://10.1.2.3", true),
    ("10.1.2.3:80", "http://10.1.2.3", true),
    ("[fd00::1]:443", "https://[fd00:0::1]", true), ("fd00::1", "https://[fd00::1]:9", true), ("*", "https://x", true),
    ("invalid", "https://clubinvalid", false), ("2.3", "http://10.1.2.3", false),
    (":443", "https://club.invalid", false),
    ("", "https://club.invalid", false), ("fd00::1:443", "https://[fd00::1]", false), (".", "https://x", false),
  ])
  func `A host is excepted from the proxy in each form that programs write`(
    row: (except: String, url: String, isExcepted: Bool)
  ) throws {
    let proxies = HTTPProxies(encrypted: "http://p", plain: "http://p", except: row.except)
    let origin = try #require(HTTPOrigin(row.url))
    #expect((proxies.proxy(for: origin) == nil) == row.isExcepted)
  }

  @Test func `A request is named without what may be secret`() {
    let request = HTTPRequest(.post, "https://h/2/files/x?authorization=secret", headers: ["Authorization": "secret"])
    #expect(request.name == "POST h/2/files/x")
  }

  @Test(arguments: [(HTTPMethod.get, true), (.head, true), (.post, false), (.put, false), (.delete, false)])
  func `Only what reads is repeated by itself`(method: HTTPMethod, expected: Bool) {
    #expect(HTTPRequest(method, "https://h/").isRepeatable == expected)
  }

  @Test func `A call whose answer is too long names itself`() async throws {
    let transport = ScriptedTransport([.text(200, "0123456789"), .text(200, "0123456789")], chunkSize: 3)
    let (response, body) = try await transport.call(HTTPRequest(.get, "https://h/a"), limit: 10)
    #expect(response.status == 200 && body == Array("0123456789".utf8))
    let error = await #expect(throws: StoreError.self) {
      try await transport.call(HTTPRequest(.get, "https://h/a?secret"), limit: 9)
    }
    #expect(error?.kind == .tooLarge)
    #expect(error?.message == "The answer to GET h/a has more than 9 bytes.")
  }
}
