internal import Basics
public import FileStores
public import Imaging

/// A place in a panorama that leads to another one, as its item in a talk file has it:
///
///     - **ann** 2026-11-26 18:04Z k3f9q2xa door [To the quay](quay.jpg) @35.0,-2.0
///
/// Label and address are a Markdown link, so any reader of Markdown follows it. The address is relative to the file.
public struct Door: Sendable, Hashable {
  /// On one line, without characters that control a terminal.
  public let label: String
  public let address: String
  /// In degrees: 0, 0 is the centre of the picture; right and up are positive.
  public let yaw, pitch: Double

  private static let mostLetters = 200
  private static let mostAddressBytes = 4096

  init?(label: String, address: String, yaw: Double, pitch: Double) {
    let label = String(TalkItem.clean(label).prefix(Door.mostLetters))
    guard !address.isEmpty, address.utf8.count <= Door.mostAddressBytes,
      !address.unicodeScalars.contains(where: { $0.isHostile || $0 == " " || $0 == ")" }), abs(yaw) <= 360,
      abs(pitch) <= 90
    else { return nil }
    (self.label, self.address, self.yaw, self.pitch) = (label.isEmpty ? address : label, address, yaw, pitch)
  }

  /// Named after the panorama that it leads to.
  /// - Throws: `badName` for a name that no link can have.
  public init(to target: StorePath, from photo: StorePath, yaw: Double, pitch: Double) throws(StoreError) {
    guard let address = Door.address(of: target, from: photo.parent),
      let door = Door(
        label: Door.label(of: target), address: address, yaw: yaw.remainder(dividingBy: 360), pitch: pitch)
    else {
      throw StoreError(
        .badName, "No door can lead to \"\(target)\": its name is not UTF-8, or too long for a link.",
        remedy: "Rename the photo first.", path: target)
    }
    self = door
  }

  /// The name without its ending.
  static func label(of photo: StorePath) -> String {
    let stem = photo.name.lastIndex(of: UInt8(ascii: ".")).map { photo.name[..<$0] } ?? photo.name
    return String(decoding: stem, as: UTF8.self)
  }

  /// nil for a path that is not UTF-8.
  public static func address(of target: StorePath, from folder: StorePath) -> String? {
    let (there, here) = (target.components, folder.components)
    let shared = zip(there.dropLast(), here).prefix { $0.elementsEqual($1) }.count
    let names = there.dropFirst(shared).map { String(validating: $0, as: UTF8.self) }
    guard !names.isEmpty, !names.contains(nil) else { return nil }
    let up = [String](repeating: "..", count: here.count - shared)
    return (up + names.compactMap { $0.map { PercentEncoding.encoded($0) } }).joined(separator: "/")
  }

  /// The photo behind the door of a panorama; nil if the address leads out of the club.
  public func target(from photo: StorePath) -> StorePath? { PhotosService.resolved(address, in: photo.parent) }

  /// In the text of a correction, and in the item.
  var link: String { "[\(TalkItem.escaped(label, "]"))](\(address))" }

  /// The door that a correction makes of this one: with another label and address, as `link` is. nil for other texts.
  func corrected(_ text: String) -> Door? {
    var rest = text[...]
    guard let (label, address) = Door.link(&rest), rest.allSatisfy(\.isWhitespace) else { return nil }
    return Door(label: label, address: address, yaw: yaw, pitch: pitch)
  }

  static func link(_ rest: inout Substring) -> (label: String, address: String)? {
    guard TalkItem.drop("[", &rest), let label = TalkItem.take(upTo: "](", &rest),
      let address = TalkItem.take(upTo: ")", &rest)
    else { return nil }
    return (label, address)
  }
}

/// Doors are added, and mended after a rename, as remarks are: nothing that a talk file has is rewritten.
extension NotesService {
  /// Adds a door to one panorama, and the way back to the other. What is there already is not added again.
  /// - Parameter id: as in `say`.
  /// - Returns: the reason why they wait on this machine; nil if the club has them.
  /// - Throws: as `say`.
  public func addDoors(
    _ door: Door, in photo: StorePath, back: Door, in target: StorePath, id: () -> String
  ) async throws(StoreError) -> StoreError? {
    let waiting = try await add(door, to: photo, id)
    do throws(StoreError) {
      return try await add(back, to: target, id) ?? waiting
    } catch {
      throw StoreError(
        error.kind, "The door to \"\(target)\" is made, but not the way back. \(error.message)",
        remedy: "Make the door again: what is there stays.", path: target, retryAfter: error.retryAfter)
    }
  }

  private func add(_ door: Door, to photo: StorePath, _ id: () -> String) async throws(StoreError) -> StoreError? {
    do throws(StoreError) {
      let doors = try await talk(about: photo).doors
      guard doors.count < Talk.mostDoors else {
        throw StoreError(
          .badInput, "\"\(photo)\" has \(Talk.mostDoors) doors already, and shows no more.",
          remedy: "Withdraw one: byteclub photo tour \(photo.shellWord) shows their ids, byteclub talk rm takes one.",
          path: photo)
      }
      let isThere = doors.contains {
        $0.door.address == door.address && abs(($0.door.yaw - door.yaw).remainder(dividingBy: 360)) < 1
          && abs($0.door.pitch - door.pitch) < 1
      }
      if isThere { return nil }
    } catch {
      guard error.isTemporary else { throw error }
    }
    return try await say("", .door(door), about: photo, id: id).outcome.reason
  }

  /// Unsent captions and remarks of a photo follow it to its new name, and the doors that lead back to the photo get
  /// a correction with that name: any member's do, because any member renames.
  /// - Throws: errors of the store for a door that leads to the old name still.
  func photoMoved(
    _ photo: StorePath, to target: StorePath, mayHaveDoors: Bool = true, id: () -> String
  ) async throws(StoreError) {
    for companion in Companion.ofPhotos {
      await followed(try companion.path(of: photo), to: try companion.path(of: target))
    }
    guard mayHaveDoors else { return }
    try await doorsMoved(with: photo, to: target, id)
  }

  /// Corrects the doors of a photo that has another path, and those that lead back to it: not between photos that have moved
  /// with their album.
  /// - Throws: errors of the store for a door that leads to the old name still.
  func doorsMoved(
    with photo: StorePath, to target: StorePath, in album: FolderMoved? = nil, _ id: () -> String
  ) async throws(StoreError) {
    let (path, event) = (try Talk.path(of: target), "Renamed \"\(photo)\" to \"\(target)\"")
    let own: [(id: String, door: Door)]
    do throws(StoreError) {
      own = try await talk(about: target).doors.map { ($0.id, $0.door) }.filter { item in
        guard let album, let end = item.door.target(from: photo) else { return true }
        return end.relative(to: album.from) == nil
      }
    } catch {
      // While the server is away, what the local copy does not have is not there.
      if error.isTemporary, let copy = club.copy, copy.entry(at: path) == nil { return }
      throw StoreError(
        error.kind, "\(event), but doors may lead to the old name. \(error.message)",
        remedy: "Rename it back, and again when the store answers.", path: target, retryAfter: error.retryAfter)
    }
    // A failure of the ones keeps none from the others.
    var failure: StoreError?
    if photo.parent != target.parent {
      do throws(StoreError) {
        try await mendAddresses(own, from: photo, in: target, after: event, id)
      } catch {
        failure = error
      }
    }
    let others = own.compactMap { $0.door.target(from: photo) }.map { $0 == photo ? target : $0 }
    do throws(StoreError) {
      try await mendDoors(to: photo, now: target, in: others, after: event, id)
    } catch {
      failure = failure ?? error
    }
    if let failure { throw failure }
  }

  /// Corrects the doors of a photo that came from another folder: their addresses are relative to the photo.
  /// - Throws: as `mendDoors`.
  private func mendAddresses(
    _ doors: [(id: String, door: Door)], from photo: StorePath, in target: StorePath, after event: String,
    _ id: () -> String
  ) async throws(StoreError) {
    var failure: StoreError?
    for (door, item) in doors {
      guard let end = item.target(from: photo), end != photo,
        let address = Door.address(of: end, from: target.parent), address != item.address,
        let mended = Door(label: item.label, address: address, yaw: item.yaw, pitch: item.pitch)
      else { continue }
      do throws(StoreError) {
        _ = try await say(mended.link, .correction(of: door), about: target, id: id)
      } catch {
        failure = failure ?? NotesService.unmended(error, end, item.label, address, in: target, event)
      }
    }
    if let failure { throw failure }
  }

  /// Corrects the doors of these panoramas that lead to a photo's old path. A failure keeps none from the others.
  /// - Throws: the first failure, with the file and the command that mends it.
  func mendDoors(
    to photo: StorePath, now target: StorePath, in others: [StorePath], after event: String, _ id: () -> String
  ) async throws(StoreError) {
    var failure: StoreError?
    for other in Set(others).sorted() {
      guard let address = Door.address(of: target, from: other.parent) else { continue }
      do throws(StoreError) {
        for item in try await talk(about: other).doors where item.door.target(from: other) == photo {
          let label = item.door.label == Door.label(of: photo) ? Door.label(of: target) : item.door.label
          guard let door = Door(label: label, address: address, yaw: item.door.yaw, pitch: item.door.pitch) else {
            continue
          }
          _ = try await say(door.link, .correction(of: item.id), about: other, id: id)
        }
      } catch {
        failure = failure ?? NotesService.unmended(error, photo, Door.label(of: target), address, in: other, event)
      }
    }
    if let failure { throw failure }
  }

  private static func unmended(
    _ error: StoreError, _ photo: StorePath, _ label: String, _ address: String, in other: StorePath, _ event: String
  ) -> StoreError {
    StoreError(
      error.kind,
      "\(event), but the doors in \"\(Talk.filePath(of: other))\" lead to \"\(photo)\" still. \(error.message)",
      remedy: "See their ids with: byteclub photo tour \(other.shellWord), then mend each with: "
        + "byteclub talk fix \(other.shellWord) ID \(PathText.shellWord("[\(label)](\(address))"))",
      path: other, retryAfter: error.retryAfter)
  }

  /// Withdraws a door of this member, and the way back that was made with it, where there is one.
  /// - Returns: the reason why that waits on this machine; nil if the club has it.
  /// - Throws: as `say`.
  public func withdrawDoor(_ id: String, in photo: StorePath) async throws(StoreError) -> StoreError? {
    let item = try await talk(about: photo).door(id)
    let waiting = try await say("", .withdrawal(of: id), about: photo).outcome.reason
    guard let item, let target = item.door.target(from: photo) else { return waiting }
    do throws(StoreError) {
      let back = try await talk(about: target).doors
        .filter { $0.member == item.member && $0.door.target(from: target) == photo }
      // Both were written one after the other.
      guard
        let door = back.first(where: { $0.time == item.time })
          ?? back.first(where: { abs($0.time.seconds - item.time.seconds) <= 60 })
      else { return waiting }
      return try await say("", .withdrawal(of: door.id), about: target).outcome.reason ?? waiting
    } catch {
      throw StoreError(
        error.kind, "The door to \"\(target)\" is withdrawn, but not the way back. \(error.message)",
        remedy: "Withdraw it in \"\(target)\".", path: target, retryAfter: error.retryAfter)
    }
  }

  /// A photo's doors, and those of the panoramas behind them that lead to one another, as Pannellum's scenes. The ids are
  /// the panoramas' addresses.
  /// - Throws: as `talk`.
  public func tour(byDoorsOf photo: StorePath) async throws(StoreError) -> Tour {
    let own = try await talk(about: photo).doors
    let behind = Set(own.compactMap { $0.door.target(from: photo) }).subtracting([photo])
    var ids: [StorePath: String] = [:]
    for path in behind.union([photo]) { ids[path] = Door.address(of: path, from: photo.parent) }
    var scenes: [String: Tour.Scene] = [:]
    for (path, id) in ids {
      let doors = path == photo ? own : try await talk(about: path).doors
      scenes[id] = Tour.Scene(
        title: Door.label(of: path), panorama: id,
        hotSpots: doors.compactMap { item in
          guard let next = item.door.target(from: path).flatMap({ ids[$0] }) else { return nil }
          return Tour.HotSpot(
            yawDegrees: item.door.yaw, pitchDegrees: item.door.pitch, text: item.door.label,
            target: .scene(next, Tour.Arrival()))
        })
    }
    return Tour(scenes: scenes)
  }
}

extension SaveOutcome {
  /// Why it waits on this machine; nil if the club has it.
  fileprivate var reason: StoreError? { if case .kept(_, let error) = self { error } else { nil } }
}
