import ArgumentParser
import Backends
import Basics
import ClubServices
import FileStores
import Foundation
import TestKit
import Testing

@testable import byteclub

/// A text from a pipe under every answer of every kind of server: it is never lost, and the end says where it is.
@Suite(.timeLimit(.minutes(5))) struct RefusedTextTests {
  enum Refusal: Sendable, CustomStringConvertible {
    case status(Int)
    case redirect(Int)
    case cut

    var description: String {
      switch self {
      case .status(let status), .redirect(let status): "\(status)"
      case .cut: "a cut connection"
      }
    }

    /// The exit status if already the first look meets it; nil where the kinds of servers differ.
    var exit: Basics.ExitStatus? {
      switch self {
      case .status(401): .notSignedIn
      case .status(403), .status(507): .refused
      case .status(413), .status(500): .failed
      case .status(429), .status(503), .cut: .temporary
      default: nil
      }
    }
  }

  private static let refusals: [Refusal] =
    [400, 401, 403, 404, 405, 409, 411, 413, 415, 423, 429, 500, 503, 507].map { .status($0) }
    + [301, 302, 307, 308].map { .redirect($0) } + [.cut]

  /// A kind of server, by the settings of a club there, and the answer to a look at a file that does not exist.
  struct Server: Sendable, CustomTestStringConvertible {
    let store: String
    let settings: String
    var isMissing = (status: 404, body: "")

    var testDescription: String { store }

    func reads(_ request: RawRequest) -> Bool {
      store == "dropbox"
        ? !request.target.hasSuffix("/upload") : ["GET", "HEAD", "PROPFIND", "OPTIONS"].contains(request.method)
    }
  }

  private static let servers = [
    Server(
      store: "dropbox", settings: #""server":"URL","folder":"/club""#,
      isMissing: (409, #"{"error_summary":"path/not_found/","error":{".tag":"path","path":{".tag":"not_found"}}}"#)),
    Server(store: "dropbox-v1", settings: #""server":"URL","folder":"/club""#),
    Server(store: "webdav", settings: #""url":"URL/club","user":"ann""#),
    Server(store: "s3", settings: #""endpoint":"URL","region":"us-east-1","bucket":"club","accessKeyID":"AKIATEST""#),
  ]

  /// A text that a verb has taken from a pipe, and what its end says of it.
  private struct End {
    let error: StoreError
    let waiting: [(kind: WaitingText.Kind, text: [UInt8])]
  }

  private static let text = Array("1\n2\n".utf8)

  /// Ends a verb at a server that answers so. Each pause before a further try ends at once.
  private func end<Verb: ClubVerb>(
    _ verb: Verb, at server: Server, _ refusal: Refusal, lookIsAnswered: Bool
  ) async throws -> End? {
    let raw = try RawServer { connection in
      while let request = connection.request() {
        if lookIsAnswered, server.reads(request) {
          let body = request.method == "HEAD" ? [] : Array(server.isMissing.body.utf8)
          let type = "application/json"
          connection.send(RawAnswer(server.isMissing.status, headers: ["Content-Type": type], body: body))
          continue
        }
        switch refusal {
        case .status(let status): connection.send(RawAnswer(status))
        case .redirect(let status): connection.send(RawAnswer(status, headers: ["Location": "/elsewhere"]))
        case .cut: return
        }
      }
    }
    defer { raw.stop() }
    let home = try TemporaryFolder()
    defer { withExtendedLifetime(home) {} }
    let settings = server.settings.replacing("URL", with: raw.url)
    let config = #"{"clubs":{"lab":{"store":"\#(server.store)",\#(settings)}}}"#
    try Data(config.utf8).write(to: URL(filePath: home.file("config.json")))
    let setup = try ClubSetup(
      StartOptions(config: home.file("config.json")),
      environment: Environment(["HOME": home.path, "BYTECLUB_TOKEN": "token"]))
    let services = SharedServices(TransferBase(setup))
    let held = try #require(await verb.hold(Self.text, setup, services))
    let open = try OpenClub(setup, shared: services)
    // As the service names the account.
    try await held.give(to: open.club.key)
    open.notes.hold(held)
    let impatient = Task {
      while !Task.isCancelled {
        open.connection?.pauses.end()
        await Task.yield()
      }
    }
    defer { impatient.cancel() }
    let session = Session(setup: setup, output: Output(), isJSON: false, open: open, input: Self.text)
    do throws(StoreError) {
      _ = try await verb.perform(session)
      return nil
    } catch {
      var texts: [(WaitingText.Kind, [UInt8])] = []
      // While this process holds the draft, it is offered as one of another byteclub.
      for text in try await open.notes.waiting() { texts.append((text.kind, try await open.notes.text(of: text.id))) }
      return End(error: held.end(error), waiting: texts)
    }
  }

  private func check(_ verb: some ClubVerb, at server: Server, lookIsAnswered: Bool) async throws {
    for refusal in Self.refusals {
      let end = try await end(verb, at: server, refusal, lookIsAnswered: lookIsAnswered)
      guard let end else {
        Issue.record("\(refusal) is no error")
        continue
      }
      let said = Comment(rawValue: "\(refusal): \(end.error)")
      #expect(end.waiting.map(\.text) == [Self.text], said)
      let words = ["is kept on this machine", "is a draft on this machine"].map { end.error.message.contains($0) }
      #expect(words == [end.waiting.first?.kind == .toSend, end.waiting.first?.kind == .draft], said)
      if !lookIsAnswered, let exit = refusal.exit { #expect(Basics.ExitStatus(end.error.kind) == exit, said) }
    }
  }

  @Test(arguments: servers, [false, true])
  func `a note put from a pipe is kept, and its end says where`(server: Server, lookIsAnswered: Bool) async throws {
    try await check(NotePut.parse(["new"]), at: server, lookIsAnswered: lookIsAnswered)
  }

  @Test(arguments: servers, [false, true])
  func `an addition from a pipe is kept, and its end says where`(server: Server, lookIsAnswered: Bool) async throws {
    try await check(NoteAppend.parse(["log", "-"]), at: server, lookIsAnswered: lookIsAnswered)
  }

  @Test(arguments: servers, [false, true])
  func `a caption from a pipe is kept, and its end says where`(server: Server, lookIsAnswered: Bool) async throws {
    try await check(PhotoCaption.parse(["p.jpg", "-"]), at: server, lookIsAnswered: lookIsAnswered)
  }
}
