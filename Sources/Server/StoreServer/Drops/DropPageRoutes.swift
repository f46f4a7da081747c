import Basics
import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  static let dropPageRoutes: [Route] = [
    Route("/2/byteclub/drop_page", .call, .member(scope: "files.content.write"), makeDropPage),
    Route(
      ServedDropPages.path, .page,
      .everyone(because: "the address is a secret that a member gave away; it takes pictures, and shows none"),
      dropPage),
  ]

  private static let usualBytes: Int64 = 500 << 20
  private static let mostBytes: Int64 = 1 << 40
  private static let usualSeconds: Int64 = 7 * 86_400

  @Sendable private static func makeDropPage(_ call: Call) async throws -> Response {
    guard call.club.drops.isAllowed else { throw APIFailure.route(Tagged("drop_pages_off")) }
    let (argument, now) = (call.argument, call.club.index.now())
    let folder = try await dropFolder(call)
    let limit = try argument.integer("limit", in: 1...mostBytes, default: usualBytes)
    var expires = now + usualSeconds
    if let text = try argument.optionalString("expires") {
      guard let second = WireTime.seconds(text) else {
        throw argument.fault("expires", "time data '\(text)' does not match format '%Y-%m-%dT%H:%M:%SZ'")
      }
      expires = second
    }
    let from = try argument.optionalString("from")
    let guest = from.flatMap(DropText.guest)
    guard expires > now, (from == nil) == (guest == nil) else {
      throw APIFailure.route(Tagged("settings_error", Tagged("invalid_settings")))
    }
    let page = ServerDropPage(
      id: AddressWords.freshID(), member: try call.member, folder: folder, guest: guest, created: now,
      expires: expires, mostBytes: UInt64(limit))
    guard try await call.club.drops.add(page) else { throw APIFailure.route(Tagged("too_many_drop_pages")) }
    return .json(call.metadata(page))
  }

  /// The folder need not be there: the first picture makes it.
  private static func dropFolder(_ call: Call) async throws -> String {
    let display = try await call.target(try call.path(.folder), fails: "path")
    guard !display.isEmpty else { return "" }
    guard ServedLinks.shows(display) else { throw APIFailure.lookup("path", "disallowed_name") }
    do {
      guard let node = try await call.club.files.place(display).node else { return display }
      guard node.isFolder else { throw APIFailure.lookup("path", "not_folder") }
      return node.display
    } catch let error as Tagged {
      throw APIFailure.route(Tagged("path", error))
    }
  }

  @Sendable private static func dropPage(_ call: Call) async throws -> Response {
    let drops = call.club.drops
    let word = AddressWords.word(inPath: call.head.barePath, behind: ServedDropPages.path)
    guard let word, let page = try await drops.find(word) else { return LinkPages.gone.response(.notFound) }
    guard call.head.method == .post else { return DropPages.form(page).response() }
    let form = try DropForm.body(of: call)
    guard drops.forms.count(of: page.id) < ServedDropPages.mostForms else {
      throw APIFailure.plain(status: 503, "Others are sending pictures by this page. Try again in a minute.")
    }
    let outcome = try await drops.forms.reading(page.id) {
      var reading = DropForm(form, for: page, of: call.club)
      await reading.read()
      return reading.outcome
    }
    return DropPages.answer(outcome, at: ServedDropPages.path + word)
      .response(outcome.kept.isEmpty ? .badRequest : .ok)
  }
}

extension Call {
  /// The caller's own page, also while pages are not allowed.
  func ownDropPage() async throws -> ServerDropPage {
    guard let page = try await club.drops.known(try argument.string("url")) else {
      throw APIFailure.route(Tagged("shared_link_not_found"))
    }
    guard page.member.id == (try member).id else { throw APIFailure.route(Tagged("shared_link_access_denied")) }
    return page
  }

  /// A drop page among shared links. Dropbox has no such metadata.
  func metadata(_ page: ServerDropPage) -> JSON {
    .members([
      ".tag": "drop", "url": .string(club.drops.url(page, origin: origin)),
      "path_lower": .string(Folding.key(page.folder)), "path_display": .string(page.folder),
      "name": .string(PathText.name(page.folder)), "expires": .string(WireTime.text(page.expires)),
      "limit": .number(page.mostBytes), "from": page.guest.map { .string($0) },
    ])
  }
}
