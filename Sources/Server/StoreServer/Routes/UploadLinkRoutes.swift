import Basics
import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  static let uploadLinkRoutes: [Route] = [
    Route("/2/files/get_temporary_upload_link", .call, .member(scope: "files.content.write"), uploadLink),
    Route(
      uploadLinkPath, .free,
      .everyone(because: "the address is a secret that a member asked for, and is good for one file of its own place"),
      uploadByLink),
  ]

  private static let uploadLinkPath = "/apitul/1/"

  @Sendable private static func uploadLink(_ call: Call) async throws -> Response {
    let commit = try call.argument.object("commit_info")
    do {
      _ = try await call.order(commit)
    } catch APIFailure.route(let error) {
      throw call.argument.fault("commit_info", error.summary)
    }
    let seconds = try call.argument.number("duration", in: 60...14_400, default: 14_400)
    let now = call.club.index.now()
    let word = call.club.uploadLinks.issue(
      to: try call.member.id, try call.family, commit, expires: now + Int64(seconds.rounded(.up)), at: now)
    guard let word else { throw APIFailure.unavailable }
    return .json(.members(["link": .string(call.origin + uploadLinkPath + word)]))
  }

  /// The answer reveals little about the club to the sender.
  @Sendable private static func uploadByLink(_ call: Call) async throws -> Response {
    guard call.head.method == .post else { throw APIFailure.plain(status: 405, "The method must be POST.") }
    let type = call.head.headerFields[.contentType]?.prefix { $0 != ";" }.lowercased()
    guard type == "application/octet-stream" || type == "text/plain" else {
      throw APIFailure.plain(status: 400, "The Content-Type must be application/octet-stream.")
    }
    let word = String(call.head.barePath.dropFirst(uploadLinkPath.count))
    let (members, links) = (call.club.members, call.club.uploadLinks)
    switch links.take(word, at: call.club.index.now()) {
    case .unknown: throw APIFailure.plain(status: 409, "There is no such temporary upload link.")
    case .ended: throw APIFailure.plain(status: 410, "This temporary upload link was used, or has ended.")
    case .good(let grant):
      let owner = try await call.club.index.pool.run { () throws(StoreError) in
        try members.member(withDevice: grant.family)
      }
      guard let owner else { throw APIFailure.plain(status: 410, "This temporary upload link has ended.") }
      let content: Content
      do {
        content = try await call.content()
      } catch {
        links.giveBack(word)
        throw error
      }
      do {
        let order = try await call.order(grant.commit, by: ServerAuthor(owner))
        _ = try await call.club.files.put(content, order)
      } catch let error as Tagged {
        throw APIFailure.plain(status: 409, "The file could not be put there: \(error.summary)")
      } catch APIFailure.route(let error) {
        throw APIFailure.plain(status: 409, "The file could not be put there: \(error.summary)")
      }
      return .json(.members(["content-hash": .string(try await content.hash().hex)]))
    }
  }
}
