import Hummingbird

extension RouteTable {
  /// Version 1 of the API.
  static let version1: [Route] =
    v1AccountRoutes + v1MetadataRoutes + v1ContentRoutes + v1UploadRoutes + v1ChangeRoutes + v1VersionRoutes
    + v1LinkRoutes + v1FileRoutes

  /// A route of version 1.
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
