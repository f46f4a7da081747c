import Database
import FileStores
import HTTPTypes
import Hummingbird

/// One call under way: who calls, what is asked, and the content that comes along.
struct Call: Sendable {
  let club: ServedClub
  let caller: Caller
  let argument: Argument
  let body: RequestBytes
  let head: HTTPRequest
  /// The address that the call comes from.
  let peer: String
  /// Scheme and host as the client knows them, for links.
  let origin: String
  /// Notes that the call's connection has shown that a member let it in.
  var vouch: @Sendable () -> Void = {}
  /// What the call says of its signer, in version 1.
  var signed: SignedRequest?
  /// The form with a file that the body is, in version 1.
  var multipart: MultipartBody?

  /// The member who calls.
  /// - Throws: 401 where an application may call, and did.
  var member: ServerMember {
    get throws(APIFailure) {
      guard let member = caller.member else { throw .invalidToken }
      return member
    }
  }

  /// The path that a member of the argument names.
  func path(
    _ forms: ClubPath.Forms, of key: String = "path", in argument: Argument? = nil, fails: String = "path"
  ) throws(APIFailure) -> ClubPath {
    let argument = argument ?? self.argument
    return try ClubPath(
      argument.string(key), forms, key: argument.place + key, fails: fails, space: club.space)
  }

  /// What a path leads to.
  /// - Throws: the route's `fails/not_found`.
  func node(_ path: ClubPath, fails: String = "path") async throws -> ServerNode {
    guard let node = try await club.files.index.find(path) else { throw APIFailure.lookup(fails, "not_found") }
    return node
  }

  /// A file that a path leads to.
  /// - Throws: the route's `fails/not_found` or `fails/not_file`.
  func file(_ path: ClubPath, fails: String = "path") async throws -> ServerNode {
    let node = try await node(path, fails: fails)
    guard !node.isFolder else { throw APIFailure.lookup(fails, "not_file") }
    return node
  }

  /// The path at which something is to be made, as it will be shown.
  func target(_ path: ClubPath, fails: String) async throws -> String {
    switch path {
    case .path(let display): return display
    case .id(let id, let below):
      guard let node = try await club.files.index.read({ try $0.node(id: id) }) else {
        throw APIFailure.lookup(fails, "malformed_path")
      }
      return node.display + below
    case .rev: throw APIFailure.lookup(fails, "malformed_path")
    }
  }
}

/// Who calls.
struct Caller: Sendable {
  let member: ServerMember?
  /// What ties the caller's tokens together.
  let family: String?
}
