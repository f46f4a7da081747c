/// All routes of the server.
struct RouteTable: Sendable {
  let routes: [Route]
  private let exact: [String: Route]
  private let prefixes: [Route]

  init(_ routes: [Route]) {
    self.routes = routes
    exact = Dictionary(routes.map { ($0.path, $0) }) { first, _ in first }
    prefixes = routes.filter { $0.path.hasSuffix("/") }
  }

  /// What the server answers.
  static let all = RouteTable(
    usersRoutes + checkRoutes + listingRoutes + metadataRoutes + contentRoutes + zipRoutes + uploadRoutes
      + sessionRoutes + changingRoutes + relocationRoutes + versionRoutes + searchRoutes + thumbnailRoutes
      + previewRoutes + tagRoutes + uploadLinkRoutes
      + tokenRoutes + authorizeRoutes + oauth1Routes + version1)

  subscript(path: String) -> Route? { exact[path] ?? prefixes.first { path.utf8.starts(with: $0.path.utf8) } }
}
