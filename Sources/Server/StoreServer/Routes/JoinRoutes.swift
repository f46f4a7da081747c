import Basics
import Database
import FileStores
import HTTPTypes
import Hummingbird
import JSON
import Logging

/// byteclub's own calls, which Dropbox does not have: they let members and their devices in. Programs ask `about` first.
extension RouteTable {
  /// The capabilities of this server beyond Dropbox's API.
  private static func capabilities(_ club: ServedClub) -> [String] {
    ["join", "devices", "readers"] + (club.presence == nil ? [] : ["presence"])
  }
  private static let prefix = "/2/byteclub/"

  static let joinRoutes: [Route] = [
    Route(
      prefix + "about", .free,
      .everyone(because: "a program asks it before it has a token; it tells nothing of a club"),
      about),
    Route(
      prefix + "join", .call, .everyone(because: "it gives a device its token, for a code that lets one device in"),
      join),
    Route(prefix + "device_code", .call, .member(scope: "account_info.read"), deviceCode),
    Route(prefix + "devices", .call, .member(scope: "account_info.read"), devices),
    // It changes nothing in the club, so readers may.
    Route(prefix + "device_remove", .call, .member(scope: "account_info.read"), removeDevice),
    Route("/join", .page, .everyone(because: "it tells a friend how to join, and nothing about the club"), joinPage),
  ]

  @Sendable private static func about(_ call: Call) async throws -> Response {
    guard try await call.body.all(atMost: 4096) != nil else {
      throw APIFailure.plain(status: 413, "The argument is too large.")
    }
    return .json(
      .members([
        "version": .string(call.club.shared.version), "capabilities": .array(capabilities(call.club).map(JSON.string)),
      ]))
  }

  @Sendable private static func joinPage(_ call: Call) async throws -> Response {
    guard call.club.servesPages else {
      guard call.head.method != .post else { throw APIFailure.badCall("The method must be GET, not POST.") }
      return await joinPage(call, form: nil).response()
    }
    if call.head.method == .post { return try await BrowserJoin.join(call) { await joinPage(call, form: $0) } }
    let canBegin = BrowserSession.canBegin(at: call.origin)
    let form = canBegin ? BrowserJoin.form(note: nil, device: FreshID.word(22)) : BrowserJoin.needsTLS
    return await joinPage(call, form: form).response()
  }

  /// - Parameter form: by which a browser gets in; nil if none does.
  private static func joinPage(_ call: Call, form: String?) async -> Page {
    guard let folder = call.club.shared.packages else { return JoinPage.page(getting: nil, from: "", form: form) }
    var packages: [PackageFolder.Package] = []
    do {
      packages = try await call.club.index.pool.run { () throws(StoreError) in try folder.list() }
    } catch {
      // The friend can still join.
      call.club.files.logger.warning("The page of invitations names no file. \(error)")
    }
    return JoinPage.page(getting: (packages, folder.isProven), from: call.origin, form: form)
  }

  /// A wrong code gets one answer, whatever is wrong with it. An address with too many wrong ones waits, as with code words.
  @Sendable private static func join(_ call: Call) async throws -> Response {
    let (code, device) = (try call.argument.string("code"), try call.argument.string("device"))
    let name = try call.argument.optionalString("name")
    guard JoinCodes.isDevice(device) else {
      throw call.argument.fault("device", "must be 16 random bytes as 22 characters of base64url")
    }
    try call.checkFailures()
    let (codes, now) = (JoinCodes(call.club.members), call.club.index.now())
    let joined = try await call.club.index.pool.run { () throws(StoreError) in
      try codes.redeem(code, device: device, name: name, at: now)
    }
    guard let (member, token) = joined else {
      try call.noteFailure()
      throw APIFailure.forbidden(Tagged("invalid_code"))
    }
    return secret([
      "access_token": .string(token), "account_id": .string(accountID(member)), "member": .string(member.name),
      "club": .string(call.club.name), "read_only": .bool(member.isReader),
    ])
  }

  /// Only byteclub makes and ends devices. Any other program that a member signed in to was let in for less.
  private static func ownToken(_ call: Call) throws(APIFailure) -> ServerToken {
    guard let token = call.caller.token, token.app == nil || token.app == AppKeys.byteclub else {
      throw .route(Tagged("not_allowed"))
    }
    return token
  }

  @Sendable private static func deviceCode(_ call: Call) async throws -> Response {
    let token = try ownToken(call)
    let (member, codes, now) = (try call.member, JoinCodes(call.club.members), call.club.index.now())
    let code = try await call.club.index.pool.run { () throws(StoreError) in
      try codes.issue(to: member, asking: token, at: now)
    }
    return secret(["code": .string(code), "expires": .integer(JoinCodes.deviceSeconds)])
  }

  @Sendable private static func devices(_ call: Call) async throws -> Response {
    let (members, id, now, own) = (call.club.members, try call.member.id, call.club.index.now(), call.caller.family)
    let devices = try await call.club.index.pool.run { () throws(StoreError) in
      try members.devices(of: id, at: now)
    }
    let uses = call.club.uses
    return .json(
      .members([
        "devices": .array(
          devices.map { device in
            .members([
              "id": .string(device.id), "name": .string(device.name ?? ""),
              "made": device.made.map { .string(WireTime.text($0)) } ?? .null,
              "last_used": (uses[device.id] ?? device.used).map { .string(WireTime.text($0)) } ?? .null,
              "is_this": .bool(device.id == own),
            ])
          })
      ]))
  }

  @Sendable private static func removeDevice(_ call: Call) async throws -> Response {
    _ = try ownToken(call)
    let (members, member, device) = (call.club.members, try call.member.id, try call.argument.string("id"))
    let isRemoved = try await call.club.index.pool.run { () throws(StoreError) in
      try members.remove(device: device, of: member)
    }
    guard isRemoved else { throw APIFailure.route(Tagged("not_found")) }
    return .json(.null)
  }

  private static func secret(_ members: KeyValuePairs<String, JSON?>) -> Response {
    var response = Response.json(.members(members))
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
