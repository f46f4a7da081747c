internal import Basics
internal import FileStores
internal import JSON
internal import Synchronization

/// Presence at a `byteclub serve`, which says first if it has it. One request brings a line of JSON after each change, and
/// an empty one now and then.
struct DropboxPresence: StorePresence {
  /// The server sends a line each 20 seconds at least.
  static let timeouts = {
    var timeouts = HTTPTimeouts(idle: .seconds(50))
    timeouts.isTrickle = true
    return timeouts
  }()
  /// Of 64 members at once.
  private static let longestLine = 256 << 10
  private static let mostMembers = 256

  let store: DropboxStore

  func show(_ sight: Sight?) async throws(StoreError) {
    var shown = sight
    // A name that the server cannot have, and byteclub's own, are nobody's business.
    let path = sight?.path.flatMap { store.folder.apiPath($0) }
    if path == nil { shown?.line = nil }
    if path == nil || (path?.utf8.count ?? 0) > Sight.mostBytes.path { shown = sight.map { _ in Sight() } }
    let call = DropboxCall(
      .show, .members(["sight": shown?.json(at: shown?.path == nil ? nil : path) ?? .null]), about: .root)
    _ = try await store.client.result(call)
  }

  func watch(_ receive: ([PresentMember]) async -> Void) async throws(StoreError) {
    try StoreError.checkCancelled("The watch")
    guard try await isThere() else {
      store.presenceIsAbsent.store(true, ordering: .relaxed)
      throw StoreError(
        .unsupported,
        "\(name) does not tell who is in the club: it is not byteclub serve, an older one, or does not allow it.")
    }
    var present: [String: PresentMember] = [:]
    var line: [UInt8] = []
    var hasBegun = false
    let call = DropboxCall(.watch, .members(["form": .integer(1)]), about: .root)
    do throws(StoreError) {
      let (response, body) = try await store.client.send(call, handingOut: true) { (_, chunk) throws(StoreError) in
        for byte in chunk {
          guard byte == 0x0A else {
            line.append(byte)
            if line.count > Self.longestLine { throw nonsense("a line that does not end") }
            continue
          }
          defer { line.removeAll(keepingCapacity: true) }
          hasBegun = true
          if line.isEmpty { continue }
          try take(line, &present)
          await receive(present.values.sorted { $0.name < $1.name })
        }
      }
      guard response.isSuccess else {
        throw store.client.error(of: try store.client.refusal(response, body, call), call)
      }
    } catch {
      // Waiting answers come through, but their beginnings do not.
      if !hasBegun, error.silence != nil {
        throw StoreError(
          .unsupported, "Who is in the club does not come through: a proxy between here and \(name) holds it back.",
          remedy: "Its owner finds the setting in docs/server.md, under \"Who is there\".")
      }
      throw error
    }
    throw StoreError(.offline, "\(name) ended the watch.", remedy: "Try again later.")
  }

  private var name: String { store.client.server.name }

  private func isThere() async throws(StoreError) -> Bool {
    do throws(StoreError) {
      let about = try await store.client.result(DropboxCall(.about, .null, about: .root))
      let isThere = about["capabilities"]?.elements?.contains { $0.text == "presence" } == true
      if isThere { store.presenceWasThere.store(true, ordering: .relaxed) }
      return isThere
    } catch {
      // A proxy answers so while a server that is known to have presence starts again.
      let wasThere = store.presenceWasThere.load(ordering: .relaxed)
      if error.isTemporary, wasThere || error.kind != .server || error.retryAfter != nil { throw error }
      if error.kind == .cancelled { throw error }
      // Another server answers 400, or what it likes.
      return false
    }
  }

  private func take(_ line: [UInt8], _ present: inout [String: PresentMember]) throws(StoreError) {
    guard let json = JSONValue.answer(line) else { throw nonsense("a line that is no JSON") }
    for name in json["gone"]?.elements ?? [] { if let name = name.text { present[name] = nil } }
    for member in json["present"]?.elements ?? [] {
      guard let name = member["name"]?.text, let seen = member["sight"], present.count < Self.mostMembers,
        let sight = Sight(seen, at: path(seen["path"]?.text))
      else { continue }
      present[name] = PresentMember(name, sight)
    }
  }

  /// nil for the lists, and for a file outside of this club's folder.
  private func path(_ text: String?) -> StorePath? {
    guard let text, store.folder.holds(DropboxFolder.fold(text.utf8)) else { return nil }
    let parts = PathText.parts(text).dropFirst(store.folder.depth)
    return try? StorePath(parts.joined(separator: "/"))
  }

  private func nonsense(_ words: String) -> StoreError {
    .nonsense("\(name) answered byteclub/watch with \(words)", .root)
  }
}
