import HTTPTypes
import Hummingbird

struct Route: Sendable {
  enum Style: Sendable {
    /// Argument and result are JSON bodies. POST.
    case call
    /// The argument is a header, the body is content, the result is JSON. POST.
    case upload
    /// The argument is a header, the result's body is content. GET or POST.
    case download
    /// The handler reads the request itself. GET or POST.
    case free
    /// A page for a browser: the handler reads the request itself, and failures are pages. GET or POST; scripts of other
    /// sites have no access.
    case page
    /// Version 1 of the API: parameters in the query or a form; GET, POST or PUT.
    case version1
  }

  enum Access: Sendable, Equatable {
    case member(scope: String)
    case application
    case memberOrApplication(scope: String)
    case everyone(because: String)
  }

  /// The path; one that ends in `/` is a prefix, except the path `/` itself.
  let path: String
  let style: Style
  let access: Access
  /// Answers a permitted request without a query or body, without waiting; nil leaves it to `handle`.
  typealias AtHand = @Sendable (ServedClub, HTTPRequest) -> AnswerAtHand?
  let atHand: AtHand?
  /// The most bytes of a request's argument, its form, or the form fields before a file.
  let argumentBytes: Int
  /// The scope that a form with a file needs; nil refuses such forms.
  var fileFormScope: String?
  /// True for pages that a member sees by the cookie of a session, and others do not.
  var takesSession = false
  let handle: @Sendable (Call) async throws -> Response

  init(
    _ path: String, _ style: Style, _ access: Access, argumentBytes: Int? = nil, atHand: AtHand? = nil,
    _ handle: @escaping @Sendable (Call) async throws -> Response
  ) {
    self.path = path
    self.style = style
    self.access = access
    self.argumentBytes = argumentBytes ?? Route.argumentBytes(style, access)
    self.atHand = atHand
    self.handle = handle
  }

  /// True if the route answers all paths that begin with its own.
  var isPrefix: Bool { path.utf8.count > 1 && path.hasSuffix("/") }

  /// The name in errors: the path without the API's version.
  var name: String { path.hasPrefix("/2/") ? String(path.dropFirst(3)) : path }
}

extension Route {
  /// Enough for a thousand files.
  static let batchBytes = 4 << 20
  static let formBytes = 64 << 10

  /// Strangers get little, because the server may hold one argument for each connection.
  private static func argumentBytes(_ style: Style, _ access: Access) -> Int {
    switch (access, style) {
    case (.member, .version1), (.memberOrApplication, .version1), (.everyone, .free), (.everyone, .page):
      formBytes
    case (.member, _), (.memberOrApplication, _): 256 << 10
    case (.everyone, _), (.application, _): 4 << 10
    }
  }
}

struct RouteTable: Sendable {
  let routes: [Route]
  private let exact: [String: Route]
  private let prefixes: [Route]

  init(_ routes: [Route]) {
    self.routes = routes
    exact = Dictionary(routes.map { ($0.path, $0) }) { first, _ in first }
    prefixes = routes.filter(\.isPrefix)
  }

  static let all = RouteTable(
    usersRoutes + checkRoutes + listingRoutes + metadataRoutes + contentRoutes + zipRoutes + uploadRoutes
      + saveURLRoutes
      + sessionRoutes + changingRoutes + relocationRoutes + versionRoutes + searchRoutes + thumbnailRoutes
      + copyReferenceRoutes + previewRoutes + tagRoutes + uploadLinkRoutes + sharedLinkRoutes + absentFeatureRoutes
      + linkPageRoutes + browserRoutes + dropPageRoutes + homeRoutes + joinRoutes + presenceRoutes + getRoutes
      + tokenRoutes
      + authorizeRoutes
      + oauth1Routes + version1)

  subscript(path: String) -> Route? { exact[path] ?? prefixes.first { path.utf8.starts(with: $0.path.utf8) } }
}
