import FileStores
import JSON
import Testing

@testable import Backends

@Suite("What a transport is told to do")
struct HTTPOptionsTests {
  // at any pace: values without a clock.
  private let times = HTTPTimeouts(connect: .seconds(3), idle: .seconds(7), whole: .seconds(90))

  @Test(arguments: [HTTPRequest.Kind.call, .content])
  func `A request without timeouts of its own has the transport's`(kind: HTTPRequest.Kind) {
    let options = HTTPOptions(origins: [], timeouts: times)
    #expect(options.timeouts(for: HTTPRequest(.get, "https://h", kind: kind)) == times)
    // at any pace: a value without a clock.
    let own = HTTPTimeouts(idle: .seconds(1))
    #expect(options.timeouts(for: HTTPRequest(.get, "https://h", kind: kind, timeouts: own)) == own)
  }

  @Test func `A call takes half an hour at most, and content as long as it moves`() {
    let options = HTTPOptions(origins: [], timeouts: HTTPTimeouts(whole: .seconds(86_400)))
    #expect(options.timeouts(for: HTTPRequest(.get, "https://h")).whole == .seconds(1800))
    #expect(options.timeouts(for: HTTPRequest(.get, "https://h", kind: .content)).whole == .seconds(86_400))
  }

  @Test func `A short file is asked for beside the long ones, and moves as long as they do`() throws {
    var call = DropboxCall(.download, .members([:]), about: try StorePath("a.md"))
    #expect(call.request(.official, token: nil).kind == .content)
    call.isShort = true
    let request = call.request(.official, token: nil)
    #expect(request.kind == .shortContent && request.kind.isContent && !HTTPRequest.Kind.call.isContent)
    let options = HTTPOptions(origins: [], timeouts: HTTPTimeouts(whole: .seconds(86_400)))
    #expect(options.timeouts(for: request).whole == .seconds(86_400))
  }

  @Test func `A long poll may be silent, and take, ten minutes more`() {
    let options = HTTPOptions(origins: [], timeouts: times)
    // at any pace: values without a clock.
    let patient = HTTPTimeouts(connect: .seconds(3), idle: .seconds(607), whole: .seconds(690))
    #expect(options.timeouts(for: HTTPRequest(.get, "https://h", kind: .longPoll)) == patient)
    let endless = HTTPOptions(origins: [], timeouts: HTTPTimeouts())
    #expect(endless.timeouts(for: HTTPRequest(.get, "https://h", kind: .longPoll)).whole == nil)
  }

  @Test(arguments: [
    ("https://club.example/a", true), ("https://club.example:443/a", true), ("https://CLUB.example/", true),
    ("https://club.example:8443/", false), ("https://sub.club.example/", false), ("https://club.example.evil/", false),
    ("http://127.0.0.1:1/", false),
  ])
  func `Fields from the config go to the service's origins alone, after the request's own`(
    url: String, isOurs: Bool
  ) throws {
    let options = HTTPOptions(
      origins: Set(["https://club.example"].compactMap { HTTPOrigin($0) }),
      headers: ["X-Gate": "let me in", "Accept": "config", "Content-Length": "1", "Connection": "close"])
    let request = HTTPRequest(.get, url, headers: ["Accept": "own"])
    let lines = options.lines(for: request, to: try options.admit(request))
    #expect(lines == (isOurs ? ["Accept: own", "X-Gate: let me in"] : ["Accept: own"]))
  }

  @Test func `At least one connection is allowed`() {
    #expect(HTTPOptions(origins: [], connectionsPerHost: 0).connectionsPerHost == 1)
  }
}
