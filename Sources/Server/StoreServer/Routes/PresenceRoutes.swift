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

  /// One answer without an end: at each beat a line of JSON with what has changed. A client that does not read gets none
  /// until it does, and then the newest.
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
          group.addTask {
            defer { place.turns.change { $0.hasEnded = true } }
            try await call.whileThere { try await place.keep { try await call.hasEnded() } }
          }
          var lines = PresenceLines(place: place, call: call)
          while let line = try await lines.next() { try await writer.write(line) }
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
  /// The turn of the last line; nil before the first.
  private var turn: PresenceTurn?

  init(place: PresencePlace, call: Call) { (self.place, self.call) = (place, call) }

  /// Waits for the next line. Nil at the first turn after the member is removed, and at the next rest after their token
  /// has ended.
  /// - Throws: `CancellationError` when the client goes, or the server stops.
  mutating func next() async throws -> ByteBuffer? {
    while true {
      let seen = turn
      await place.turns.wait { $0 != seen }
      let now = place.turns.value
      turn = now
      if now.checks != seen?.checks || now.rests != seen?.rests || now.hasEnded, try await call.hasEnded() {
        place.leave(isRemoved: true)
        return nil
      }
      if now.hasEnded || Task.isCancelled { throw CancellationError() }
      if let line = place.presence.line(for: place.member, after: &known) { return line }
      if now.rests != seen?.rests { return ByteBuffer(string: "\n") }
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
  var line: String {
    JSON.members([
      "present": .array(
        present.map { member in
          let path = member.sight.path.map { "/" + String(decoding: $0.bytes, as: UTF8.self) }
          return .members(["name": .string(member.name), "sight": member.sight.json(at: path)])
        }), "gone": gone.isEmpty ? nil : .array(gone.map(JSON.string)),
    ]).encoded
  }
}
