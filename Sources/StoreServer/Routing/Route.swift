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
  let handle: @Sendable (Call) async throws -> Response

  init(
    _ path: String, _ style: Style, _ access: Access, atHand: AtHand? = nil,
    _ handle: @escaping @Sendable (Call) async throws -> Response
  ) {
    self.path = path
    self.style = style
    self.access = access
    self.atHand = atHand
    self.handle = handle
  }

  /// The name that errors give the route: the path without the API's version.
  var name: String { path.hasPrefix("/2/") ? String(path.dropFirst(3)) : path }
}
