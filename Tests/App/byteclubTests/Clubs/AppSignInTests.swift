import Accounts
import Backends
import FileStores
import Foundation
import Screens
import Synchronization
import TestKit
import Testing

@testable import byteclub

/// Signing in inside the app, against servers of all three kinds.
struct AppSignInTests {
  private static let served = #"{"store":"dropbox","server":"SERVER","folder":"/club"}"#

  /// Takes one code; the club's folder is there once it was made.
  private func service(_ variables: [String: String] = [:]) throws -> AppScene {
    let isMade = Flag()
    return try AppScene(Self.served, variables: variables) { request, body, authorization in
      let isKnown = authorization == "Bearer the-access"
      switch request {
      case "POST /oauth2/token" where body.contains("code=the-code"):
        return (200, #"{"access_token":"the-access","token_type":"bearer"}"#)
      case "POST /oauth2/token": return (400, #"{"error":"invalid_grant"}"#)
      case "POST /2/users/get_current_account" where isKnown:
        return (200, #"{"account_id":"dbid:1","name":{"display_name":"Ray W"},"email":null}"#)
      case "POST /2/files/list_folder/get_latest_cursor" where isKnown && isMade.isSet:
        return (200, #"{"cursor":"c"}"#)
      case "POST /2/files/list_folder" where isKnown && isMade.isSet:
        return (200, #"{"entries":[],"cursor":"c","has_more":false}"#)
      case "POST /2/files/list_folder" where isKnown, "POST /2/files/list_folder/get_latest_cursor" where isKnown:
        return (409, #"{"error_summary":"path/not_found/..","error":{".tag":"path","path":{".tag":"not_found"}}}"#)
      case "POST /2/files/create_folder_v2" where isKnown:
        isMade.set()
        return (200, #"{"metadata":{"name":"club","path_display":"/club","path_lower":"/club","id":"id:1"}}"#)
      default: return (401, #"{"error_summary":"invalid_access_token/","error":{".tag":"invalid_access_token"}}"#)
      }
    }
  }

  private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }

  @Test func `a pasted code signs in and makes the club's folder, after a wrong one too`() async throws {
    let scene = try service()
    let signIn = scene.signIn()
    let step = try #require(try await signIn.begin("lab"))
    #expect(step.input == .code && step.address?.hasPrefix("\(scene.server.url)/oauth2/authorize?") == true)
    #expect(step.address?.contains("redirect_uri") == false && scene.requests.isEmpty)
    #expect(step.sentence.contains("asks for a code word from the club's owner"))
    #expect(try await signIn.awaitBrowser(step) == nil)
    for wrong in ["wrong", "not a code", ""] {
      let error = await #expect(throws: StoreError.self) { try await signIn.finish(step, wrong) }
      #expect(error?.remedy.contains("Paste the code of the page") == true && scene.secrets.isEmpty)
    }
    let said = try await signIn.finish(step, " the-code \n")
    #expect(said.hasPrefix("Signed in to 127.0.0.1:\(scene.server.port) as Ray W. Made the club's folder, "), "\(said)")
    #expect(scene.secrets.contains("the-access"))
    #expect(try await signIn.begin("lab") == nil)
  }

  @Test func `the browser of this machine brings the code by another address than the one that is shown`() async throws
  {
    let scene = try service()
    let opened = Mutex<[String]>([])
    let signIn = scene.signIn { address, _ in
      opened.withLock { $0.append(address) }
      let items = URLComponents(string: address)?.queryItems ?? []
      let value = { (name: String) in items.first { $0.name == name }?.value ?? "" }
      let answer = "\(value("redirect_uri"))?code=the-code&state=\(value("state"))"
      _ = try? Spawn("/usr/bin/curl", ["-s", answer], environment: [:])
      return true
    }
    let step = try #require(try await signIn.begin("lab"))
    let said = try await signIn.awaitBrowser(step)
    #expect(said?.hasPrefix("Signed in to ") == true && scene.secrets.contains("the-access"))
    #expect(opened.withLock { $0 }.allSatisfy { $0 != step.address && $0.contains("redirect_uri=http") })
    // It is over: nothing is sent a second time.
    let error = await #expect(throws: StoreError.self) { try await signIn.finish(step, "the-code") }
    #expect(error?.kind == .conflict)
  }

  @Test func `a code that is pasted ends the wait for the browser, and so do a newer sign-in and a cancellation`()
    async throws
  {
    let scene = try service()
    let isOpen = Gate()
    let signIn = scene.signIn { _, _ in
      isOpen.open()
      return true
    }
    let step = try #require(try await signIn.begin("lab"))
    func waiting(_ step: SignInStep) -> Task<StoreError.Kind?, Never> {
      Task {
        do throws(StoreError) {
          _ = try await signIn.awaitBrowser(step)
          return nil
        } catch {
          return error.kind
        }
      }
    }
    let first = waiting(step)
    await isOpen.wait()
    let newer = try #require(try await signIn.begin("lab"))
    #expect(await first.value == .cancelled && newer.address != step.address)
    let cancelled = waiting(newer)
    cancelled.cancel()
    #expect(await cancelled.value == .cancelled && scene.secrets.isEmpty)
    let second = waiting(newer)
    _ = try await signIn.finish(newer, "the-code")
    let ended = await second.value
    #expect(ended == .cancelled || ended == nil)
    let stale = await #expect(throws: StoreError.self) { try await signIn.finish(step, "the-code") }
    #expect(stale?.kind == .conflict)
  }

  @Test func `where no browser opens, the code is pasted`() async throws {
    let scene = try service()
    defer { withExtendedLifetime(scene) {} }
    let signIn = scene.signIn { _, _ in false }
    let step = try #require(try await signIn.begin("lab"))
    #expect(try await signIn.awaitBrowser(step) == nil)
    #expect(try await signIn.finish(step, "the-code").contains("Ray W"))
  }

  @Test func `a token from elsewhere would be used instead, and no sign-in begins`() async throws {
    let scene = try service(["BYTECLUB_TOKEN": "s3cret"])
    let error = await #expect(throws: StoreError.self) { try await scene.signIn().begin("lab") }
    #expect(error?.kind == .badInput && error?.message.contains("the variable BYTECLUB_TOKEN") == true)
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test func `at a server of the old API the member only confirms`() async throws {
    let isAllowed = Flag()
    let club =
      #"{"store":"dropbox-v1","server":"SERVER","folder":"/club","appKey":"k","appSecret":"s","signature":"PLAINTEXT"}"#
    let scene = try AppScene(club) { request, _, _ in
      switch request {
      case "POST /1/oauth/request_token": (200, "oauth_token=rt&oauth_token_secret=rs")
      case "POST /1/oauth/access_token" where isAllowed.isSet: (200, "oauth_token=at&oauth_token_secret=as")
      case "POST /1/oauth/access_token": (401, "")
      case "GET /1/account/info": (200, #"{"uid":7,"display_name":"Ray W"}"#)
      default: (500, "")
      }
    }
    let signIn = scene.signIn()
    let step = try #require(try await signIn.begin("lab"))
    #expect(step.input == .confirmation && step.address == "\(scene.server.url)/1/oauth/authorize?oauth_token=rt")
    let early = await #expect(throws: StoreError.self) { try await signIn.finish(step, "") }
    #expect(early?.remedy == "Allow byteclub on the page, then press Enter." && scene.secrets.isEmpty)
    isAllowed.set()
    #expect(try await signIn.finish(step, "") == "Signed in to 127.0.0.1:\(scene.server.port) as Ray W.")
    #expect(scene.secrets.contains("at as"))
  }

  @Test func `a password is kept once the server has taken it, and a wrong one leaves the old one`() async throws {
    let club = #"{"store":"webdav","url":"SERVER/club","user":"ann"}"#
    let right = "Basic " + Data("ann:right".utf8).base64EncodedString()
    let scene = try AppScene(club) { request, _, authorization in
      guard authorization == right else { return (401, "") }
      guard request.hasPrefix("PROPFIND /club") else { return (403, "") }
      return (
        207,
        "<d:multistatus xmlns:d=\"DAV:\"><d:response><d:href>/club/</d:href><d:propstat><d:prop><d:resourcetype>"
          + "<d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
          + "</d:multistatus>"
      )
    }
    let file = PasswordFile(
      directory: scene.home.paths.tokensDirectory, member: .init(user: "ann", origin: scene.server.url))
    try file.write("old")
    let signIn = scene.signIn()
    let step = try #require(try await signIn.begin("lab"))
    #expect(step.input == .password("Password of ann") && step.address == nil)
    #expect(try await signIn.awaitBrowser(step) == nil)
    for wrong in ["wrong", ""] {
      let error = await #expect(throws: StoreError.self) { try await signIn.finish(step, wrong) }
      #expect(error?.remedy == "Type it again." && error?.description.contains("wrong") == false)
      #expect(try file.read() == "old")
    }
    #expect(try await signIn.finish(step, "right").hasPrefix("Signed in to \(scene.server.url) as ann."))
    #expect(try file.read() == "right")
    #expect(try await signIn.begin("lab") == nil)
  }

  @Test func `a password that the server could not try is not kept, and the old one stays`() async throws {
    let scene = try AppScene(#"{"store":"webdav","url":"SERVER/club","user":"ann"}"#) { _, _, authorization in
      authorization == "Basic " + Data("ann:old".utf8).base64EncodedString() ? (401, "") : (503, "")
    }
    let file = PasswordFile(
      directory: scene.home.paths.tokensDirectory, member: .init(user: "ann", origin: scene.server.url))
    try file.write("old")
    let signIn = scene.signIn()
    let step = try #require(try await signIn.begin("lab"))
    await #expect(throws: StoreError.self) { try await signIn.finish(step, "untried") }
    #expect(try file.read() == "old")
  }

  @Test func `what is open keeps its own sign-in, and what opens later has the new one`() async throws {
    let scene = try service()
    func tokens() throws -> AccountTokens {
      try ClubAccount(try ClubSetup(StartOptions(club: "lab"), environment: scene.environment)).tokens
    }
    let open = try tokens()
    #expect(try tokens() === open)
    let signIn = scene.signIn()
    _ = try await signIn.finish(try #require(try await signIn.begin("lab")), "the-code")
    let later = try tokens()
    #expect(later !== open)
    #expect(try await later.token(refusing: nil) == "the-access")
  }

  @Test func `a sign-in that ended on disk alone begins anew`() async throws {
    let scene = try service()
    let signIn = scene.signIn()
    _ = try await signIn.finish(try #require(try await signIn.begin("lab")), "the-code")
    #expect(try await signIn.begin("lab") == nil)
    try FileManager.default.removeItem(atPath: scene.home.paths.tokensDirectory)
    #expect(try await signIn.begin("lab") != nil)
  }

  @Test func `a server that is away keeps nothing and says why`() async throws {
    let scene = try service()
    let signIn = scene.signIn()
    let step = try #require(try await signIn.begin("lab"))
    scene.server.stop()
    let error = await #expect(throws: StoreError.self) { try await signIn.finish(step, "the-code") }
    #expect(error?.kind == .offline && error?.remedy == "Ask the club's owner whether the server runs.")
    #expect(scene.secrets.isEmpty)
  }

  @Test func `a club of this machine needs no sign-in`() async throws {
    let scene = try AppScene(#"{"path":"/nowhere"}"#) { _, _, _ in (500, "") }
    #expect(try await scene.signIn().begin("lab") == nil)
  }
}
