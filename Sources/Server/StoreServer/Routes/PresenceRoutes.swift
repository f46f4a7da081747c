import Backends
import Basics
import Database
import FileStores
import HTTPTypes
import Hummingbird
import JSON
import NIOCore

/// byteclub's own calls by which members see who is there. Nothing of them is written down.
extension RouteTable {
  /// The most bytes of a sight, and of anything else here.
  private static let argumentBytes = 8 << 10

  static let presenceRoutes: [Route] = [
    Route(
      "/2/byteclub/show", .call, .member(scope: "files.metadata.read"), argumentBytes: argumentBytes, showSight),
    Route(
      "/2/byteclub/watch", .call, .member(scope: "files.metadata.read"), argumentBytes: argumentBytes, watchSights),
  ]

  private static func presence(_ call: Call) throws(APIFailure) -> ServedPresence {
    guard let presence = call.club.presence else { throw .route(Tagged("not_allowed")) }
    return presence
  }

  @Sendable private static func showSight(_ call: Call) async throws -> Response {
    let (presence, member) = (try presence(call), try call.member)
    presence.show(try sight(call), of: member)
    return .json(.null)
  }

  private static func sight(_ call: Call) throws(APIFailure) -> Sight? {
    guard let json = call.argument.value("sight") else { return nil }
    var place: StorePath?
    if let text = try call.argument.object("sight").optionalString("path") {
      // A file that is not there may be one that the member is about to write.
      do throws(APIFailure) {
        guard case .path(let display) = try ClubPath(text, [], space: call.club.space),
          let path = try? StorePath(display), ClubIndex.isShown(path)
        else { throw call.argument.fault("sight: path", "is no path of the club") }
        place = path
      } catch .route {
        throw call.argument.fault("sight: path", "is no path of the club")
      }
    }
    guard let sight = Sight(json, at: place) else {
      throw call.argument.fault("sight", "a number or a text is not within its limits")
    }
    return sight
  }

  /// One answer without an end: a line of JSON with what has changed, at most ten a second. A client that does not read gets
  /// none until it does, and then the newest.
  @Sendable private static func watchSights(_ call: Call) async throws -> Response {
    _ = try call.argument.integer("form", in: 1...1)
    let (presence, member) = (try presence(call), try call.member)
    let place = try PresencePlace(presence, member, call.club.watches)
    var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
    // nginx then passes each line on at once.
    headers.set("X-Accel-Buffering", "no")
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        try await withThrowingTaskGroup(of: Void.self) { group in
          // The next line may wait for a client that reads nothing.
          group.addTask { try await place.leave { try await call.hasEnded() } }
          var lines = PresenceLines(place: place, call: call)
          while let line = try await lines.next() { try await writer.write(ByteBuffer(string: line + "\n")) }
          group.cancelAll()
        }
        try await writer.finish(nil)
      })
  }
}

/// The lines of one watch, each made when the one before has been taken.
private struct PresenceLines {
  let place: PresencePlace
  let call: Call
  private var known = PresenceRoom.Known()
  private var last: ContinuousClock.Instant?

  init(place: PresencePlace, call: Call) { (self.place, self.call) = (place, call) }

  /// Waits for the next line. Nil once the member's token has ended.
  /// - Throws: `CancellationError` when the client goes, or the server stops.
  mutating func next() async throws -> String? {
    let (presence, gap) = (place.presence, Duration.milliseconds(PresenceRoom.gap))
    if let last { try await Task.sleep(until: last + gap) }
    while true {
      if try await call.hasEnded() {
        place.leave(isRemoved: true)
        return nil
      }
      let news = presence.news(for: place.member, after: &known)
      let rest = last.map { presence.rest - $0.duration(to: .now) } ?? presence.rest
      if news != nil || rest <= .zero {
        last = .now
        return news?.line ?? ""
      }
      let seen = known
      try await call.whileThere { try await presence.wait(atMost: rest, after: seen) }
    }
  }
}

extension Call {
  /// True once the member or the device is removed, or the token has ended.
  fileprivate func hasEnded() async throws -> Bool {
    guard let token = caller.token else { return true }
    let (members, now) = (club.members, club.index.now())
    let known =
      if let known = members.remembered(id: token.id) {
        known
      } else {
        try await club.index.pool.run { () throws(StoreError) in try members.token(id: token.id) }
      }
    return known.map { $0.token.expires.map { $0 <= now } ?? false } ?? true
  }
}

extension PresenceRoom.News {
  fileprivate var line: String {
    JSON.members([
      "present": .array(
        present.map { member in
          let path = member.sight.path.map { "/" + String(decoding: $0.bytes, as: UTF8.self) }
          return .members(["name": .string(member.name), "sight": member.sight.json(at: path)])
        }), "gone": gone.isEmpty ? nil : .array(gone.map(JSON.string)),
    ]).encoded
  }
}
