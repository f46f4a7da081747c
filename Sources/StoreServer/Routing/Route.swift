import HTTPTypes
import Hummingbird

/// One address that the server answers at.
struct Route: Sendable {
  /// How argument and result travel.
  enum Style: Sendable {
    /// The argument is the body, the result is the body; both JSON. POST.
    case call
    /// The argument is a header, the body is content, the result is JSON. POST.
    case upload
    /// The argument is a header, the result's body is content. GET or POST.
    case download
    /// The handler reads what it wants. GET or POST.
    case free
    /// Version 1 of the API: parameters in the query or a form, everything in any of GET, POST and PUT.
    case version1
  }

  /// Who may call.
  enum Access: Sendable, Equatable {
    /// A member, by a token that has this scope.
    case member(scope: String)
    /// An application, by its key and secret.
    case application
    /// A member or an application.
    case memberOrApplication(scope: String)
    /// Everyone; the reason why no token is needed.
    case everyone(because: String)
  }

  /// The path. One that ends in `/` stands for all paths that begin with it.
  let path: String
  let style: Style
  let access: Access
  /// Answers without waiting for anything, a request without a query and a body from a caller who may call; nil when that
  /// cannot be, whatever the reason, and `handle` answers.
  typealias AtHand = @Sendable (ServedClub, HTTPRequest) -> AnswerAtHand?
  let atHand: AtHand?
  /// The most bytes that the parameters of a call may have: its argument, its form, or the fields of a form before a file.
  let argumentBytes: Int
  /// The scope that a form with a file needs; nil where no such form is taken.
  var fileFormScope: String?
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

  /// The name that errors give the route: the path without the API's version.
  var name: String { path.hasPrefix("/2/") ? String(path.dropFirst(3)) : path }
}

extension Route {
  /// The largest argument of a batch: a thousand files.
  static let batchBytes = 4 << 20
  /// The largest form of parameters, without a file.
  static let formBytes = 64 << 10

  /// The most bytes of parameters, unless the route says otherwise. Strangers get little: the server may hold one
  /// argument for each of its connections.
  private static func argumentBytes(_ style: Style, _ access: Access) -> Int {
    switch (access, style) {
    case (.member, .version1), (.memberOrApplication, .version1), (.everyone, .free): formBytes
    case (.member, _), (.memberOrApplication, _): 256 << 10
    case (.everyone, _), (.application, _): 4 << 10
    }
  }
}
