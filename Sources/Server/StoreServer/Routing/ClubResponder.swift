import Database
import FileStores
import HTTPTypes
import Hummingbird
import JSON
import Logging

struct ClubResponder: HTTPResponder {
  typealias Context = CallContext
  let clubs: ServedClubs
  let table: RouteTable
  let monitor: RequestMonitor

  var shared: ServerShared { clubs.first.shared }

  func respond(to request: Request, context: CallContext) async throws -> Response {
    let began = ContinuousClock.now
    shared.activity.note()
    let connection = ClientConnection(channel: context.channel, shares: shared.shares, visitors: shared.visitors)
    let path = String(request.head.barePath)
    let route = table[path]
    let address = address(of: request.head, peer: context.peer)
    let received = ByteCounter()
    var response: Response
    var club: ServedClub?
    var caller: Caller?
    do {
      try ClubResponder.check(request.head)
      guard let route else { throw APIFailure.badCall("Unknown API function.") }
      if request.method == .options {
        response = try OtherOrigins.preflight(route, address)
      } else {
        let body = RequestBytes(
          request.body, declared: request.headers[.contentLength].flatMap(UInt64.init),
          slowest: clubs.first.slowest, counter: received)
        club = try await clubs.find(route, address, request.head, body)
        let chosen = club ?? clubs.first
        if route.style == .version1 {
          (response, caller) = try await respondVersion1(route, chosen, address, request, body, connection)
        } else {
          caller = try await chosen.access(route, address, request.head)
          if caller?.member != nil { connection.vouch() }
          var call = try await call(
            route, chosen, address, request, body, caller ?? Caller(member: nil, token: nil))
          call.connection = connection
          call.clubs = clubs.all
          response = try await route.handle(call)
        }
      }
    } catch {
      response =
        route?.style == .version1 || route == nil && path.hasPrefix("/1/")
        ? version1Failure(error, route, context).response
        : route?.style == .page
          ? Page.failure(failure(error, context)) : .failure(failure(error, context), route: route?.name ?? path)
    }
    if request.method == .head { response = response.createHeadResponse() }
    ClubResponder.finish(&response.headers, of: route, to: request.head, requestID: context.requestID)
    var record = AccessRecord(
      request: context.requestID, client: address.peer, method: request.method.rawValue,
      call: route?.path ?? "(unknown)", status: response.status.code)
    (record.member, record.club, record.chaos) = (caller?.member?.name, club?.name, context.chaos)
    record.page = ServedDropPages.loggedLetters(of: path)
    record.received = received.total
    monitor.note(record, of: &response, began: began, context.logger)
    return response
  }

  /// Requires exactly one Host header (RFC 9112, section 3.2), and no transfer encoding but chunked, which HTTP/1.0 does
  /// not have (section 6.1).
  private static func check(_ head: HTTPRequest) throws(APIFailure) {
    guard let host = head.authority, !host.isEmpty, head.headerFields[.secondHost] == nil else {
      throw .badCall("The request must have one Host header.")
    }
    let form = head.headerFields[.transferEncoding]?.lowercased().filter { $0 != " " }
    guard form != OldFraming.mark else { throw .badCall("A request of HTTP/1.0 has no Transfer-Encoding.") }
    guard form == nil || form == "chunked" else {
      throw .plain(status: 501, "This server reads no Transfer-Encoding but chunked.")
    }
  }

  static func finish(_ headers: inout HTTPFields, of route: Route?, to head: HTTPRequest, requestID: String) {
    headers[.requestID] = requestID
    OtherOrigins.allow(&headers, of: route, to: head)
    headers[.xContentTypeOptions] = "nosniff"
    if headers[.cacheControl] == nil { headers[.cacheControl] = "no-cache" }
  }

  /// True if a client may send its content after "100 Continue"; false if the request would be refused.
  func mayContinue(_ request: Request, peer: String) async -> Bool {
    let path = String(request.head.barePath)
    guard let route = table[path] else { return false }
    let address = address(of: request.head, peer: peer)
    let club: ServedClub
    do {
      club = try await clubs.find(route, address, request.head) ?? clubs.first
    } catch {
      // The request itself meets the same fault, and is answered with it.
      return false
    }
    if route.style == .version1 { return await mayContinueVersion1(route, club, address, request.head) }
    return (try? await club.access(route, address, request.head)) != nil
  }

  func address(of head: HTTPRequest, peer: String) -> Address {
    Address(head, peer: peer, isSecure: clubs.first.isSecure, proxies: clubs.first.proxies)
  }

  private func call(
    _ route: Route, _ club: ServedClub, _ address: Address, _ request: Request, _ body: RequestBytes, _ caller: Caller
  ) async throws -> Call {
    let method = request.method
    switch route.style {
    case .call, .upload:
      guard method == .post else { throw APIFailure.badCall("The method must be POST, not \(method.rawValue).") }
    case .download, .free, .page, .version1:
      guard method == .post || method == .get || method == .head else {
        throw APIFailure.badCall("The method must be GET or POST, not \(method.rawValue).")
      }
    }
    let argument = try await argument(route, address, request, body)
    return Call(
      club: club, caller: caller, argument: argument, body: body, head: request.head, peer: address.peer,
      origin: address.origin)
  }

  private func argument(
    _ route: Route, _ address: Address, _ request: Request, _ body: RequestBytes
  ) async throws -> Argument {
    let text: [UInt8]
    let place: String
    switch route.style {
    case .free, .page, .version1: return try Argument(nil)
    case .call:
      try checkType(request, among: ["application/json", "text/plain", "application/octet-stream"])
      guard let bytes = try await body.all(atMost: route.argumentBytes) else {
        throw APIFailure.plain(status: 413, "The argument is too large.")
      }
      (text, place) = (bytes, "request body: ")
    case .upload, .download:
      let word = request.headers[.apiArgument] ?? address.query["arg"]
      if route.style == .upload { try checkType(request, among: ["application/octet-stream", "text/plain"]) }
      guard let word else {
        throw APIFailure.badCall("Must provide HTTP header \"Dropbox-API-Arg\" or URL parameter \"arg\".")
      }
      (text, place) = (Array(word.utf8), "HTTP header \"Dropbox-API-Arg\": ")
    }
    guard text.contains(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D }) else { return try Argument(nil) }
    do {
      let json = try JSONReader.read(text)
      try ArgumentFields.check(json, of: route, place: place)
      return try Argument(json, place: place)
    } catch let fault as JSONReader.Fault {
      throw APIFailure.badCall("\(place)could not decode input as JSON: \(fault.reason)")
    }
  }

  private func checkType(_ request: Request, among known: [String]) throws(APIFailure) {
    guard let type = request.headers[.contentType], !type.isEmpty else { return }
    let bare = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    guard known.contains(bare) else {
      throw .badCall(
        "Bad HTTP \"Content-Type\" header: \"\(type)\". Expecting one of \"\(known.joined(separator: "\", \""))\".")
    }
  }

  func failure(_ error: any Error, _ context: CallContext) -> APIFailure {
    switch error {
    case let failure as APIFailure: return failure
    case let error as StoreError where error.kind == .offline || error.kind == .rateLimited: return .unavailable
    case let error as StoreError where error.kind == .cancelled: return .unavailable
    case is CancellationError: return .unavailable
    // The file changed while it was read, or descriptors are short: a retry may succeed.
    case let error as StoreError
    where error.kind == .conflict || error.kind == .server && !ConnectionLimit.isRoomLeft():
      context.logger.warning("A call has to be made again: \(error)")
      return .unavailable
    case let error as StoreError where error.kind == .badInput: return .plain(status: 400, error.message)
    default:
      context.logger.error("A call failed: \(error)")
      return .plain(status: 500, "The server failed. See its log.")
    }
  }
}
