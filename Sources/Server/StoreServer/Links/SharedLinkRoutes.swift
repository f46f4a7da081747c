import Basics
import Database
import Hummingbird
import JSON

/// Shared links by the API's namespace `sharing` (sharing.stone of Dropbox's API specification). Each member has one to a
/// file or folder at most, as at Dropbox.
extension RouteTable {
  static let sharedLinkRoutes: [Route] = [
    Route("/2/sharing/create_shared_link_with_settings", .call, .member(scope: "sharing.write"), createLink),
    Route("/2/sharing/list_shared_links", .call, .member(scope: "sharing.read"), listLinks),
    Route("/2/sharing/get_shared_link_metadata", .call, .memberOrApplication(scope: "sharing.read"), linkMetadata),
    Route("/2/sharing/get_shared_link_file", .download, .memberOrApplication(scope: "sharing.read"), linkFile),
    Route("/2/sharing/modify_shared_link_settings", .call, .member(scope: "sharing.write"), modifyLink),
    Route("/2/sharing/revoke_shared_link", .call, .member(scope: "sharing.write"), revokeLink),
  ]

  private static let pageLinks = 200

  @Sendable private static func createLink(_ call: Call) async throws -> Response {
    let path = try call.path(.reading)
    let settings = try LinkSettings.new(call.argument, at: call.club.index.now())
    guard call.club.links.isAllowed else { throw APIFailure.route(Tagged("access_denied")) }
    let node = try await call.node(path)
    guard !node.isInTrash else { throw APIFailure.lookup("path", "not_found") }
    switch try await call.club.links.add(to: node, of: try call.member, settings) {
    case .added(let link): return .json(call.metadata(ServedLinks.Found(link, to: node)))
    case .exists(let link):
      // Settings may differ from the link's, so only a call without any gets the link's metadata.
      let metadata = settings.isPlain ? [JSONMember("metadata", call.metadata(.init(link, to: node)))] : []
      let inner = metadata.isEmpty ? nil : Tagged("metadata", with: metadata)
      throw APIFailure.route(Tagged("shared_link_already_exists", inner))
    case .tooMany: throw APIFailure.route(Tagged("too_many_shared_folders"))
    }
  }

  @Sendable private static func listLinks(_ call: Call) async throws -> Response {
    let member = try call.member
    let isDirect = try call.argument.bool("direct_only", default: false)
    // On the first page alone. Other programs know no such links.
    let showsDrops = try call.argument.bool("byteclub_drop_pages", default: false) && !call.argument.has("cursor")
    let drops = showsDrops ? try await call.club.drops.pages(of: member) : []
    if call.argument.has("path") {
      var node = try await call.node(try call.path(.reading))
      let asked = node.key
      var found = try await call.club.links.links(to: node, of: member)
      // The links to the folders above lead to it, too.
      while !isDirect, let above = try await call.club.index.find(display: PathText.parent(node.display)),
        !above.key.isEmpty
      {
        found += try await call.club.links.links(to: above, of: member)
        node = above
      }
      let here = drops.filter { Folding.key($0.folder) == asked }.map(call.metadata)
      return .json(.members(["links": .array(found.map(call.metadata) + here), "has_more": false]))
    }
    var after: Int64 = 0
    if let cursor = try call.argument.optionalString("cursor") {
      guard let words = call.club.seal.open(cursor, for: "links"), words.count == 2, words[0] == member.id,
        let number = Int64(words[1])
      else { throw APIFailure.route(Tagged("reset")) }
      after = number
    }
    let (found, last) = try await call.club.links.page(of: member, after: after, limit: pageLinks)
    return .json(
      .members([
        "links": .array(found.map(call.metadata) + drops.map(call.metadata)), "has_more": .bool(last != nil),
        "cursor": last.map { .string(call.club.seal.seal([member.id, String($0)], for: "links")) },
      ]))
  }

  @Sendable private static func linkMetadata(_ call: Call) async throws -> Response {
    .json(call.metadata(try await call.opened(call.argument, password: "link_password")))
  }

  @Sendable private static func linkFile(_ call: Call) async throws -> Response {
    let found = try await call.opened(call.argument, password: "link_password")
    guard !found.file.isFolder else { throw APIFailure.route(Tagged("shared_link_is_directory")) }
    let (club, file) = (call.club, found.file)
    return Served(metadata: call.metadata(found), tag: Rev.text(file.rev), size: file.size, type: nil)
      .response(call.head) { offset, pace, receive in try await club.send(file, from: offset, pace, receive) }
  }

  @Sendable private static func modifyLink(_ call: Call) async throws -> Response {
    let link = try await call.ownLink()
    guard call.club.links.isAllowed else { throw APIFailure.route(Tagged("shared_link_access_denied")) }
    let settings = try LinkSettings.change(call.argument, at: call.club.index.now())
    guard try await call.club.links.change(link, settings),
      let changed = try await call.club.links.known(try call.argument.string("url")),
      let found = try await call.club.links.follow(changed)
    else { throw APIFailure.route(Tagged("shared_link_not_found")) }
    return .json(call.metadata(found))
  }

  @Sendable private static func revokeLink(_ call: Call) async throws -> Response {
    if ServedDropPages.word(inURL: try call.argument.string("url")) != nil {
      guard try await call.club.drops.revoke(try await call.ownDropPage()) else {
        throw APIFailure.route(Tagged("shared_link_not_found"))
      }
      return .json(.null)
    }
    guard ServedLinks.word(inURL: try call.argument.string("url")) != nil else {
      throw APIFailure.route(Tagged("shared_link_malformed"))
    }
    guard try await call.club.links.revoke(try await call.ownLink()) else {
      throw APIFailure.route(Tagged("shared_link_not_found"))
    }
    return .json(.null)
  }
}

extension Call {
  /// The link and its file or folder, or what is below that, if the caller may open it: its member, or a caller who gives
  /// its password.
  /// - Parameter below: a path below the link's folder; by default the argument's `path`.
  /// - Throws: `shared_link_not_found`, `shared_link_access_denied`, 429; 400 for a path below a file.
  func opened(
    _ argument: Argument, password key: String, below path: String? = nil
  ) async throws -> ServedLinks.Found {
    let url = try argument.string("url")
    let path = try path ?? argument.optionalString("path") ?? ""
    guard club.links.isAllowed else { throw APIFailure.route(Tagged("shared_link_access_denied")) }
    guard let found = try await club.links.find(ServedLinks.word(inURL: url)) else {
      throw APIFailure.route(Tagged("shared_link_not_found"))
    }
    // A wrong password is refused to everyone, so that a member can check one.
    if let password = try argument.optionalString(key) {
      guard try await club.links.isRight(password, for: found.link, self) else {
        throw APIFailure.route(Tagged("shared_link_access_denied"))
      }
    } else if found.link.password != nil, found.link.member != caller.member?.id {
      throw APIFailure.route(Tagged("shared_link_access_denied"))
    }
    guard found.file.isFolder else {
      guard path.isEmpty else { throw argument.fault("path", "the link leads to a file, which has nothing below it") }
      return found
    }
    guard let below = ServedLinks.below(inURL: url),
      let node = try await club.links.found(found, below: below + path)
    else { throw APIFailure.route(Tagged("shared_link_not_found")) }
    return node
  }

  /// The caller's own link, also while links are not allowed.
  fileprivate func ownLink() async throws -> ServerLink {
    guard let link = try await club.links.known(try argument.string("url")) else {
      throw APIFailure.route(Tagged("shared_link_not_found"))
    }
    guard link.member == (try member).id else { throw APIFailure.route(Tagged("shared_link_access_denied")) }
    return link
  }

  /// The API's `FileLinkMetadata` or `FolderLinkMetadata`. Its member also gets `path_display`, which Dropbox does not have: folders keep their
  /// case.
  func metadata(_ found: ServedLinks.Found) -> JSON {
    let (link, file) = (found.link, found.file)
    let isOwner = link.member == caller.member?.id
    let url = club.links.url(link, to: found.top, below: found.below(of: file), origin: origin)
    let about = JSON.members([
      ".tag": file.isFolder ? "folder" : "file", "url": .string(url), "id": .string(file.id),
      "name": .string(file.name), "expires": link.expires.map { .string(WireTime.text($0)) },
      "path_lower": isOwner ? .string(file.key) : nil, "path_display": isOwner ? .string(file.display) : nil,
      "link_permissions": Call.permissions(link, isOwner: isOwner),
    ])
    guard !file.isFolder else { return about }
    return about.adding([
      JSONMember("client_modified", .string(WireTime.text(file.clientModified))),
      JSONMember("server_modified", .string(WireTime.text(file.serverModified))),
      JSONMember("rev", .string(Rev.text(file.rev))), JSONMember("size", .number(file.size)),
    ])
  }

  /// The API's `LinkPermissions`.
  private static func permissions(_ link: ServerLink, isOwner: Bool) -> JSON {
    let visibility = JSON.tag(link.password == nil ? "public" : "password")
    return .members([
      "resolved_visibility": visibility, "requested_visibility": isOwner ? visibility : nil,
      "can_revoke": .bool(isOwner), "revoke_failure_reason": isOwner ? nil : .tag("owner_only"),
      "effective_audience": .tag("public"), "link_access_level": .tag("viewer"),
      "visibility_policies": .array(
        ["public", "password"].map {
          .members(["policy": .tag($0), "resolved_policy": .tag($0), "allowed": .bool(isOwner)])
        }),
      "can_set_expiry": .bool(isOwner), "can_remove_expiry": .bool(isOwner), "allow_download": true,
      "can_allow_download": false, "can_disallow_download": false, "allow_comments": false,
      "team_restricts_comments": true, "can_set_password": .bool(isOwner), "can_remove_password": .bool(isOwner),
      "require_password": .bool(link.password != nil),
    ])
  }
}
