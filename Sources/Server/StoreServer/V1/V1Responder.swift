import FileStores
import HTTPTypes
import Hummingbird
import JSON

extension ClubResponder {
  func respondVersion1(
    _ route: Route, _ club: ServedClub, _ address: Address, _ request: Request, _ body: RequestBytes,
    _ connection: ClientConnection
  ) async throws -> (Response, Caller) {
    guard [.get, .head, .post, .put].contains(request.method) else {
      throw V1Failure(405, "The method must be GET, POST or PUT.")
    }
    var parameters = address.query
    let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    let isFileForm = request.method == .post && type == "multipart/form-data"
    guard !isFileForm || route.fileFormScope != nil else {
      throw V1Failure.malformed("This call takes no form with a file.")
    }
    let scope = isFileForm ? route.fileFormScope : nil
    var signed = SignedRequest(request.head, address, parameters)
    var caller: Caller?
    // Forms of signed requests, and of those that may hold a token, are read first. All other requests are authorized
    // before their body is read.
    if !signed.isSigned, signed.bearer != nil || isFileForm {
      caller = try await club.accessVersion1(route, signed, scope: scope, peer: address.peer)
    }
    if request.method == .post, type == "application/x-www-form-urlencoded" {
      guard let form = try await body.all(atMost: route.argumentBytes) else {
        throw V1Failure(413, "The form is too large.")
      }
      parameters.merge(FormText.read(String(decoding: form, as: UTF8.self))) { query, _ in query }
    }
    var multipart: MultipartBody?
    if isFileForm {
      let reader: MultipartBody
      do throws(MultipartMachine.Fault) {
        reader = try MultipartBody(request.headers[.contentType] ?? "", body)
      } catch {
        throw V1Failure.malformed(error.sentence)
      }
      parameters.merge(try await reader.open()) { query, _ in query }
      multipart = reader
    }
    signed = SignedRequest(request.head, address, parameters)
    let known: Caller
    if let caller {
      known = caller
    } else {
      known = try await club.accessVersion1(route, signed, scope: scope, peer: address.peer)
    }
    if known.member != nil { connection.vouch() }
    var call = Call(
      club: club, caller: known,
      argument: try Argument(.object(parameters.map { JSONMember($0.key, .string($0.value)) })), body: body,
      head: request.head, peer: address.peer, origin: address.origin, signed: signed, multipart: multipart)
    call.connection = connection
    return (try await route.handle(call), known)
  }

  func version1Failure(_ error: any Error, _ route: Route?, _ context: CallContext) -> V1Failure {
    if route == nil { return V1Failure(404, "Unknown call.") }
    if error is Tagged || error is RelocationFault || error is V1Failure { return V1Failure(error) }
    if let error = error as? StoreError, error.kind == .quota { return V1Failure(error) }
    return V1Failure(failure(error, context))
  }

  func mayContinueVersion1(
    _ route: Route, _ club: ServedClub, _ address: Address, _ head: HTTPRequest
  ) async -> Bool {
    let signed = SignedRequest(head, address, address.query)
    // A form may hold the token.
    if !signed.isSigned, signed.bearer == nil {
      let type = head.headerFields[.contentType]?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
      let bytes = head.headerFields[.contentLength].flatMap(Int.init) ?? 0
      return head.method == .post && type == "application/x-www-form-urlencoded" && bytes <= route.argumentBytes
    }
    return (try? await club.accessVersion1(route, signed, peer: address.peer, isFinal: false)) != nil
  }
}

extension RouteTable {
  static let version1: [Route] =
    v1AccountRoutes + v1MetadataRoutes + v1ContentRoutes + v1UploadRoutes + v1ChangeRoutes + v1VersionRoutes
    + v1LinkRoutes + v1FileRoutes

  static func v1(
    _ path: String, scope: String, fileFormScope: String? = nil, atHand: Route.AtHand? = nil,
    _ handle: @escaping @Sendable (V1Call) async throws -> Response
  ) -> Route {
    var route = Route("/1/" + path, .version1, .member(scope: scope), atHand: atHand) { call in
      try await handle(V1Call(call, after: "/1/" + path))
    }
    route.fileFormScope = fileFormScope
    return route
  }
}
