import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  static let v1LinkRoutes: [Route] = [
    v1("shares/", scope: "sharing.write") { v1 in
      let isAllowed = v1.club.links.isAllowed
      let link = isAllowed ? try await sharedLink(v1) : try await link(v1)
      return .json(link.adding([JSONMember("visibility", "PUBLIC")]))
    },
    v1("media/", scope: "files.content.read") { v1 in .json(try await link(v1)) },
    v1("copy_ref/", scope: "files.content.read", v1CopyRef),
  ]

  /// The time that version 1 gives for a link without an end must be a time: the first second of 2100.
  private static let never: Int64 = 4_102_444_800

  /// The member's shared link to a file or folder, made if there is none.
  private static func sharedLink(_ v1: V1Call) async throws -> JSON {
    let file = try await v1.node(try v1.display)
    guard !file.path.isRoot else { throw V1Failure(403, "The root cannot be shared.") }
    let link: ServerLink
    switch try await v1.club.links.add(to: file, of: try v1.call.member, LinkSettings()) {
    case .added(let new): link = new
    case .exists(let known): link = known
    case .tooMany: throw V1Failure(403, "You have too many shared links. Revoke some of them.")
    }
    return .members([
      "url": .string(v1.club.links.url(link, to: file, origin: v1.call.origin)),
      "expires": .string(V1Time.text(link.expires ?? never)),
    ])
  }

  private static func link(_ v1: V1Call) async throws -> JSON {
    let link = try v1.call.temporaryLink(to: try await v1.file(try v1.display))
    return .members(["url": .string(link.url), "expires": .string(V1Time.text(link.end))])
  }

  @Sendable private static func v1CopyRef(_ v1: V1Call) async throws -> Response {
    let (word, end) = try v1.call.copyReference(to: try await v1.node(try v1.display))
    return .json(.members(["copy_ref": .string(word), "expires": .string(V1Time.text(end))]))
  }

  static func copied(_ word: String, _ v1: V1Call) async throws -> ServerNode {
    do {
      return try await v1.call.copied(word)
    } catch APIFailure.route {
      throw V1Failure(404, "The copy_ref does not exist.")
    }
  }
}
