import Basics
import Database
import FileStores
import HTTPTypes
import Hummingbird
import JSON

extension RouteTable {
  static let contentRoutes: [Route] = [
    Route(
      "/2/files/download", .download, .member(scope: "files.content.read"), atHand: downloadAtHand, download),
    Route("/2/files/get_temporary_link", .call, .member(scope: "files.content.read"), temporaryLink),
    Route(
      "/links/", .free,
      .everyone(
        because: "the link is sealed, names a member's device and one version of one file, and ends after four hours"),
      followLink),
  ]

  @Sendable private static func download(_ call: Call) async throws -> Response {
    let path = try call.path(.reading)
    return try await download(call, try call.argument.rev("rev").map(ClubPath.rev) ?? path)
  }

  private static func download(_ call: Call, _ path: ClubPath) async throws -> Response {
    if case .rev(let rev) = path, try await call.club.index.find(path) == nil {
      guard let old = try await call.club.index.read({ try $0.revision(rev) }),
        let content = try await call.club.files.content(of: old)
      else { throw APIFailure.lookup("path", "not_found") }
      return Served(metadata: .metadata(old), tag: Rev.text(rev), size: old.size, type: nil).response(
        call.head, call.club.shared.sends
      ) { offset, _, receive in try await call.club.send(content, from: offset, receive) }
    }
    if case .path(let display) = path, let small = await call.club.index.smallFile(display) {
      return served(small.file, .metadata(small.file, tagged: false), type: nil, bytes: small.bytes, call)
    }
    let file = try await call.file(path)
    return served(file, .metadata(file, tagged: false), type: nil, call)
  }

  @Sendable private static func downloadAtHand(_ club: ServedClub, _ head: HTTPRequest) -> AnswerAtHand? {
    guard head.method == .post || head.method == .get, let text = head.headerFields[.apiArgument],
      case .object(let members)? = try? JSONReader.read(Array(text.utf8)), members.count == 1,
      members[0].key == "path", case .string(let word) = members[0].value,
      case .path(let display)? = try? ClubPath(word, [], space: club.space),
      let (file, bytes) = club.index.smallFileAtHand(display)
    else { return nil }
    return Served(
      metadata: .metadata(file, tagged: false), tag: Rev.text(file.rev), size: file.size, type: nil, bytes: bytes
    ).atHand(head)
  }

  private static func served(
    _ file: ServerNode, _ metadata: JSON?, type: String?, name: String? = nil, bytes: [UInt8]? = nil, _ call: Call
  ) -> Response {
    let club = call.club
    let served = Served(
      metadata: metadata, tag: Rev.text(file.rev), size: file.size, type: type, name: name, bytes: bytes)
    return served.response(call.head, club.shared.sends) { offset, pace, receive in
      try await club.send(file, from: offset, pace, receive)
    }
  }

  @Sendable private static func temporaryLink(_ call: Call) async throws -> Response {
    let file = try await call.file(try call.path(.reading))
    return .json(
      .members([
        "metadata": .metadata(file, tagged: false), "link": .string(try call.temporaryLink(to: file).url),
      ]))
  }

  @Sendable private static func followLink(_ call: Call) async throws -> Response {
    let path = String(call.head.barePath)
    guard let words = call.linkWords(path) else { throw APIFailure.plain(status: 404, "There is no such link.") }
    guard let file = try await call.linked(words: words) else {
      throw APIFailure.plain(status: 410, "This link has ended.")
    }
    call.vouch()
    // Served as a plain download, whatever the file contains, so no browser runs it.
    return served(file, nil, type: "application/octet-stream", name: file.name, call)
  }
}

extension Call {
  private static let linkSeconds: Int64 = 4 * 60 * 60

  /// A link to this version of a file, which needs no token and works for four hours, and as long as the caller's device
  /// is let in.
  /// - Throws: 403 for a reader: anybody can open the link.
  func temporaryLink(to file: ServerNode) throws(APIFailure) -> (url: String, end: Int64) {
    if try member.isReader { throw .readOnly }
    let end = club.index.now() + Call.linkSeconds
    let word = club.seal.seal([try family, file.id, String(file.rev), String(end)], for: "link")
    return ("\(origin)/links/\(word)", end)
  }

  /// The file of a link; nil for another address or an expired link.
  func linked(_ address: String) async throws -> ServerNode? {
    guard let range = address.firstRange(of: "/links/"), let words = linkWords(String(address[range.lowerBound...]))
    else {
      return nil
    }
    return try await linked(words: words)
  }

  fileprivate func linkWords(_ path: String) -> [String]? {
    guard let words = club.seal.open(String(path.dropFirst("/links/".count)), for: "link"), words.count == 4 else {
      return nil
    }
    return words
  }

  fileprivate func linked(words: [String]) async throws -> ServerNode? {
    let members = club.members
    let owner = try await club.index.pool.run { () throws(StoreError) in try members.member(withDevice: words[0]) }
    guard owner != nil, let end = Int64(words[3]), end > club.index.now(),
      let file = try await club.index.find(.id(words[1], below: "")), String(file.rev) == words[2]
    else { return nil }
    return file
  }
}
