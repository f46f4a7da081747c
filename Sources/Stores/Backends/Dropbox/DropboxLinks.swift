internal import Basics
internal import FileStores
internal import JSON

/// Shared links (the API's namespace `sharing`). An account has one link to a file for each audience; these are for
/// everyone who has the address.
struct DropboxLinks: LinkSharing {
  let store: DropboxStore

  private var server: DropboxServer { store.client.server }

  func link(to path: StorePath, _ terms: LinkTerms) async throws(StoreError) -> SharedLink {
    try store.checkCancelled("The sharing", path)
    guard !path.isRoot, let place = store.folder.apiPath(path) else { throw store.missing(path) }
    // The service would share a folder, too, and what is made by an answer that is lost stays made.
    guard try await store.entry(at: path).kind == .file else { throw sharesNoFolder(path) }
    let expires = terms.expires.map { CivilTime(secondsSince1970: Int($0.seconds)).utc }
    let settings = JSONValue.members([
      "expires": expires.map { .string($0) }, "require_password": terms.password.map { _ in true },
      "link_password": terms.password.map { .string($0) },
    ])
    let call = DropboxCall(
      .makeLink,
      .members(["path": .string(place), "settings": terms == LinkTerms() ? nil : settings]), about: path)
    switch try await store.client.answer(call) {
    case .result(let json):
      guard let link = link(json, asked: path) else { throw store.client.nonsense("no link", call) }
      return link
    case .refusal(let refusal) where refusal.has("shared_link_already_exists"):
      return try await existing(path, terms)
    case .refusal(let refusal): throw error(refusal, path)
    }
  }

  /// The link that is there, if it has these terms. An earlier call whose answer was lost may have made it.
  private func existing(_ path: StorePath, _ terms: LinkTerms) async throws(StoreError) -> SharedLink {
    let all = try await links(to: path)
    for link in all where terms.expires == nil || link.expires == terms.expires {
      guard let password = terms.password else { return link }
      if link.hasPassword, try await has(link, password) { return link }
    }
    guard !all.isEmpty else {
      throw StoreError(
        .server, "\(server.name) has a link to \"\(path)\" but does not list it.", remedy: "Try again.", path: path)
    }
    throw StoreError(
      .exists, "\"\(path)\" is shared already, by a link with other settings.",
      remedy: "Revoke that link first, or ask for it without settings.", path: path)
  }

  /// True if this is the link's password. A server that lets the owner in with any password cannot say, and counts as no.
  private func has(_ link: SharedLink, _ password: String) async throws(StoreError) -> Bool {
    let wrong = String(store.tuning.random(), radix: 36)
    if try await opens(link, wrong) { return false }
    return try await opens(link, password)
  }

  private func opens(_ link: SharedLink, _ password: String) async throws(StoreError) -> Bool {
    let call = DropboxCall(
      .linkMetadata, .members(["url": .string(link.url), "link_password": .string(password)]), about: link.path)
    if case .result = try await store.client.answer(call) { return true }
    return false
  }

  func dropPage(
    into folder: StorePath, _ terms: DropTerms, expires: Timestamp?
  ) async throws(StoreError) -> SharedLink {
    try store.checkCancelled("The asking for photos", folder)
    guard isByteclubs else {
      throw StoreError(
        .unsupported, "\(server.name) has no page where a phone without an account leaves photos.",
        remedy: "The club's members can bring them with the service's own app for phones.", path: folder)
    }
    guard let place = store.folder.apiPath(folder) else { throw store.missing(folder) }
    let call = DropboxCall(
      .dropPage,
      .members([
        "path": .string(place), "from": terms.giver.map { .string($0) },
        "expires": expires.map { .string(DropboxTime.text($0)) }, "limit": terms.mostBytes.map { .number($0) },
      ]), about: folder)
    do throws(StoreError) {
      let json = try await store.client.result(call) { error($0, folder) }
      guard let url = json["url"]?.text else { throw store.client.nonsense("no page", call) }
      return dropPage(json, url: url, at: folder)
    } catch {
      guard error.kind == .unsupported else { throw error }
      throw StoreError(
        .unsupported, "\(server.name) has no pages for photos from phones: it is not byteclub serve, or an older one.",
        remedy: "Ask its owner for a newer byteclub serve, with --drop-pages.", path: folder)
    }
  }

  /// False for Dropbox itself; another server may be byteclub's.
  private var isByteclubs: Bool { server.api != DropboxServer.official.api }

  private func dropPage(_ json: JSONValue, url: String, at folder: StorePath) -> SharedLink {
    SharedLink(
      url: url, path: folder, expires: json["expires"]?.text.flatMap(DropboxTime.init)?.timestamp,
      drop: DropTerms(giver: json["from"]?.text, mostBytes: json["limit"]?.count))
  }

  func links(to path: StorePath?) async throws(StoreError) -> [SharedLink] {
    try store.checkCancelled("The listing", path ?? .root)
    var argument = JSONValue.members([:])
    if let path {
      guard let place = store.folder.apiPath(path), !path.isRoot else { throw store.missing(path) }
      argument = .members(["path": .string(place), "direct_only": true])
    }
    var found: [SharedLink] = []
    var bounds = PageBounds("the links", about: path ?? .root, server.name)
    var listsDropPages = path == nil && isByteclubs
    while true {
      let extra = listsDropPages ? [JSONMember("byteclub_drop_pages", true)] : []
      let call = DropboxCall(.listLinks, argument.adding(extra), about: path ?? .root)
      let json: JSONValue
      do throws(StoreError) {
        json = try await store.client.result(call) { error($0, path ?? .root) }
      } catch {
        // A server without drop pages refuses the unknown member.
        guard listsDropPages, error.kind == .badInput else { throw error }
        listsDropPages = false
        continue
      }
      guard let values = json["links"]?.elements else { throw store.client.nonsense("no links", call) }
      found += values.compactMap { link($0, asked: path) }
      guard json["has_more"]?.boolean == true, let cursor = json["cursor"]?.text else { return found }
      try bounds.add(values.count, next: cursor)
      argument = .members(["cursor": .string(cursor)])
    }
  }

  func revoke(_ url: String) async throws(StoreError) {
    try store.checkCancelled("The revoking", .root)
    let call = DropboxCall(.revokeLink, .members(["url": .string(url)]), about: .root)
    _ = try await store.client.result(call) { error($0, .root) }
  }

  private func sharesNoFolder(_ path: StorePath) -> StoreError {
    StoreError(
      .unsupported, "\"\(path)\" is a folder, which byteclub shares by no link.", remedy: "Share a file of it.",
      path: path)
  }

  /// A link into the club; nil for any other link of the account.
  private func link(_ json: JSONValue, asked: StorePath?) -> SharedLink? {
    guard let url = json["url"]?.text, let metadata = DropboxMetadata(json, isListed: true),
      store.folder.holds(metadata.lower), let path = store.names.path(of: metadata), !store.folder.isOwn(path)
    else { return nil }
    if json[".tag"]?.text == "drop" { return dropPage(json, url: url, at: path) }
    let permissions = json["link_permissions"]
    let visibility = permissions?["resolved_visibility"]?[".tag"]?.text ?? ""
    return SharedLink(
      url: url, path: asked ?? path, expires: json["expires"]?.text.flatMap(DropboxTime.init)?.timestamp,
      hasPassword: permissions?["require_password"]?.boolean ?? visibility.hasSuffix("password"))
  }

  /// The errors of sharing; any other refusal has its usual sentence.
  private func error(_ refusal: DropboxRefusal, _ path: StorePath) -> StoreError {
    func error(_ kind: StoreError.Kind, _ message: String, _ remedy: String) -> StoreError {
      StoreError(kind, message, remedy: remedy, path: path)
    }
    switch refusal.tags.last {
    case "access_denied":
      return error(
        .notPermitted, "\(server.name) does not let you share \"\(path)\" by a link.",
        server == .official
          ? "Check the sharing settings of your account."
          : "Ask the owner of the server to allow links: byteclub serve --shared-links")
    case "drop_pages_off":
      return error(
        .notPermitted, "\(server.name) does not take photos from phones.",
        "Ask the owner of the server to allow it: byteclub serve --drop-pages")
    case "not_authorized":
      return error(
        .notPermitted, "\(server.name) does not let your account set the expiry or the password of a link.",
        "Make one that never expires and has no password.")
    case "invalid_settings" where refusal.route == .dropPage:
      return error(
        .badInput, "\(server.name) does not take the giver's name, or the end of the page.",
        "Give a shorter name of plain letters, and a later time.")
    case "too_many_drop_pages":
      return error(
        .notPermitted, "You have as many pages for photos as \(server.name) allows.",
        "End some of them: \(server.commands.listLinks)")
    case "invalid_settings":
      return error(
        .badInput, "\(server.name) does not take these settings for a link.",
        "Give a later time, and a password that is not empty.")
    case "unsupported_content_type":
      return sharesNoFolder(path)
    case "too_many_shared_folders":
      return error(.notPermitted, "You have as many links as \(server.name) allows.", "Revoke some of them.")
    case "shared_link_not_found", "shared_link_malformed":
      return error(
        .notFound, "\(server.name) has no such link.", "See your links with: \(server.commands.listLinks)")
    case "shared_link_access_denied":
      return error(.notPermitted, "The link is not yours.", "Ask the member who made it.")
    default: return refusal.error(path, server)
    }
  }
}
