public import Backends
public import FileStores
public import JSON

/// A machine or browser of a member, as the server lists it.
public struct Device: Sendable, Equatable {
  public let id: String
  /// Foreign text.
  public let name: String
  /// As the server writes them.
  public let made: JSONValue?
  public let lastUsed: JSONValue?
  public let isThis: Bool
}

/// The devices of a member of `byteclub serve`: codes for further ones, their list, their end. The token goes to the
/// account's own server; no error has it, nor a code.
public struct DeviceCalls: Sendable {
  private static let mostBytes = 1 << 20
  private static let mostDevices = 10_000

  private let tokens: AccountTokens
  private let transport: any HTTPTransport
  /// Seconds since 1970.
  private let now: @Sendable () -> Int64

  public init(_ tokens: AccountTokens, transport: any HTTPTransport, now: @escaping @Sendable () -> Int64) {
    (self.tokens, self.transport, self.now) = (tokens, transport, now)
  }

  private var service: AccountService { tokens.account.service }

  /// A code for the member's next device, good once and for some minutes, with its end as the server writes it.
  /// - Throws: as `devices`.
  public func code() async throws(StoreError) -> (code: String, expires: JSONValue?) {
    let answer = try await ask("device_code", .null)
    guard let code = answer["code"]?.text, TokenText.isToken(code) else { throw unreadable("device_code") }
    return (code, answer["expires"])
  }

  /// - Throws: `unsupported` for a server without devices; `notSignedIn`; the transport's errors.
  public func devices() async throws(StoreError) -> [Device] {
    let answer = try await ask("devices", .null)
    guard let elements = answer["devices"]?.elements, elements.count <= DeviceCalls.mostDevices else {
      throw unreadable("devices")
    }
    let devices = elements.compactMap { value -> Device? in
      guard let id = value["id"]?.text, let name = value["name"]?.text else { return nil }
      return Device(
        id: id, name: name, made: value["made"], lastUsed: value["last_used"],
        isThis: value["is_this"]?.boolean ?? false)
    }
    guard devices.count == elements.count else { throw unreadable("devices") }
    return devices
  }

  /// Ends the sign-in of a device.
  /// - Throws: `notFound` for an unknown id; else as `devices`.
  public func remove(_ id: String) async throws(StoreError) {
    _ = try await ask("device_remove", .members(["id": .string(id)]))
  }

  private func ask(_ route: String, _ argument: JSONValue) async throws(StoreError) -> JSONValue {
    guard !service.isDropbox else { throw hasNone }
    var token = try await tokens.token(refusing: nil)
    var (response, body) = try await call(route, argument, token)
    if response.status == 401 {
      token = try await tokens.token(refusing: token)
      (response, body) = try await call(route, argument, token)
    }
    guard response.isSuccess else { throw failure(response, body, route) }
    if body.isEmpty { return .null }
    do {
      return try JSONReader.read(body)
    } catch {
      throw unreadable(route)
    }
  }

  private func call(
    _ route: String, _ argument: JSONValue, _ token: String
  ) async throws(StoreError) -> (HTTPResponse, [UInt8]) {
    try await transport.call(
      HTTPRequest(
        .post, "\(service.origin)/2/byteclub/\(route)",
        headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
        body: .bytes(Array(argument.encoded.utf8))), limit: DeviceCalls.mostBytes)
  }

  private func failure(_ response: HTTPResponse, _ body: [UInt8], _ route: String) -> StoreError {
    let wait = response.retryAfter(now: now())
    let reason = (try? JSONReader.read(body))?["error_summary"]?.text ?? ""
    switch response.status {
    case 401: return tokens.account.notSignedIn("\(service.name) no longer accepts the sign-in of this machine.")
    case 409 where reason.hasPrefix("not_allowed"):
      return StoreError(
        .notPermitted, "This sign-in at \(service.name) cannot manage devices: another program made it.",
        remedy: "Use a machine that joined the club with: byteclub join")
    case 409 where route == "device_remove":
      return StoreError(
        .notFound, "You have no device with this id at \(service.name).", remedy: "List them with: byteclub device ls")
    case 403, 409:
      return StoreError(
        .notPermitted, "\(service.name) does not permit this to the sign-in of this machine.",
        remedy: "Ask the club's owner, or sign in again with: \(tokens.account.commands.login)")
    // An older byteclub serve answers 400 to a call that it does not know.
    case 400, 404, 405: return hasNone
    case 429,
      503 where wait != nil:
      return StoreError(
        .rateLimited, "\(service.name) asks for fewer requests.", remedy: "Try again later.", retryAfter: wait)
    case let status:
      return StoreError(
        502...504 ~= status ? .offline : .server, "\(service.name) failed (status \(status)).",
        remedy: "Try again later.", retryAfter: wait)
    }
  }

  private var hasNone: StoreError {
    StoreError(
      .unsupported, "\(service.name) has no list of devices: it is not a byteclub serve, or an older one.",
      remedy: "Sign in on the other machine with: byteclub login")
  }

  private func unreadable(_ route: String) -> StoreError {
    StoreError(
      .server, "byteclub cannot read the answer of \(service.name) to \(route).",
      remedy: "Check \"clubs.\(tokens.account.club).server\" in the config.")
  }
}
