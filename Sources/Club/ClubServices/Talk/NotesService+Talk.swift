internal import Synchronization
public import FileStores

/// Remarks are added as `append` adds: durable before the store is asked, never over another member's.
extension NotesService {
  /// The remarks on a note or photo, with those that wait on this machine; empty without any.
  /// - Throws: `tooLarge` above `Talk.mostBytes`; errors of the store.
  public func talk(about thing: StorePath) async throws(StoreError) -> Talk {
    try await talkFile(of: thing).map { Talk($0) } ?? .none
  }

  /// The remarks that are not withdrawn. 0 if they cannot be read: opening them says why.
  public func remarkCount(on thing: StorePath) async -> Int {
    do throws(StoreError) {
      return try await talk(about: thing).remarks.count { !$0.isWithdrawn }
    } catch {
      return 0
    }
  }

  /// Adds a remark, or a change of one.
  /// - Parameter id: makes the item's id; called again if the file has it.
  /// - Returns: the item, and `saved` or `kept`.
  /// - Throws: `notFound` if the item names no remark; `notPermitted` for a change of another member's; as `append`.
  public func say(
    _ text: String, _ aim: TalkItem.Aim, about thing: StorePath, id: () -> String
  ) async throws(StoreError) -> (item: TalkItem, outcome: SaveOutcome) {
    let member = await club.memberName()
    var file: [UInt8]?
    var failure: StoreError?
    do throws(StoreError) {
      file = try await talkFile(of: thing)
    } catch {
      // An addition waits until the server answers; another first line in the middle does no harm.
      guard error.isTemporary else { throw error }
      failure = error
    }
    let talk = file.map { Talk($0) } ?? .none
    var newID = id()
    while talk.remark(newID) != nil { newID = id() }
    let item = TalkItem(member: member, time: now(), id: newID, aim: aim, text: text)
    if failure == nil { try NotesService.check(item, talk, thing) }
    let added = (file == nil ? Talk.head(of: thing) : "") + item.markdown
    guard (file?.count ?? 0) + added.utf8.count <= Talk.mostBytes else { throw NotesService.isFull(thing) }
    let outcome = try await append(Array(added.utf8), to: try Talk.path(of: thing))
    // The addition has the text that came from a pipe.
    try await held.withLock { $0 }?.remove()
    return (item, outcome)
  }

  private static func check(_ item: TalkItem, _ talk: Talk, _ thing: StorePath) throws(StoreError) {
    guard let target = item.target else { return }
    guard let remark = talk.remark(target) else {
      throw StoreError(
        .notFound, "\"\(thing)\" has no remark \(target).", remedy: "See the ids with: byteclub talk ls \"\(thing)\"",
        path: thing)
    }
    switch item.aim {
    case .correction, .withdrawal:
      guard remark.member == item.member else {
        throw StoreError(
          .notPermitted, "The remark \(target) is by \(remark.member), and you are \(item.member).",
          remedy: "Answer it with: byteclub talk reply \"\(thing)\" \(target) TEXT", path: thing)
      }
    default: break
    }
  }

  private static func isFull(_ thing: StorePath) -> StoreError {
    StoreError(
      .tooLarge, "The remarks on \"\(thing)\" have \(Talk.mostBytes >> 20) MiB, which is the most.",
      remedy: "Write a note, and link \"\(thing)\" in it.", path: thing)
  }

  /// nil if there is none.
  private func talkFile(of thing: StorePath) async throws(StoreError) -> [UInt8]? {
    let path = try Talk.path(of: thing)
    do throws(StoreError) {
      if let own = try await own(path) { return own.bytes }
      return try await store.readAll(path, limit: Talk.mostBytes).bytes
    } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
  }

  /// The notes and photos with remarks, by path.
  /// - Throws: errors of a listing.
  public func thingsWithTalk() async throws(StoreError) -> [StorePath] {
    var things: Set<StorePath> = []
    for (folder, isDeep) in [(StorePath.root, false), (club.photosFolder, true)] {
      var cursor: ListCursor?
      repeat {
        do throws(StoreError) {
          let page = try await store.list(folder, ListOptions(.names, recursive: isDeep), after: cursor)
          things.formUnion(page.entries.compactMap { Talk.thing(of: $0.path) })
          cursor = page.next
        } catch {
          guard error.kind == .notFound, cursor == nil else { throw error }
        }
      } while cursor != nil
    }
    return things.sorted()
  }
}
