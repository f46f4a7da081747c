import Basics
public import FileStores
public import Imaging

/// A photo's hot spots, from Pannellum's JSON in the photo's folder.
public struct PhotoTour: Sendable, Hashable {
  /// On one line; empty if the tour gives none.
  public let title: String
  /// The view with which the photo opens.
  public let view: Tour.View
  public let marks: [PhotoMark]
  /// A sentence about the first value that was left out; nil if none was.
  public let fault: String?

  public init(title: String = "", view: Tour.View = Tour.View(), marks: [PhotoMark], fault: String? = nil) {
    (self.title, self.view, self.marks, self.fault) = (title, view, marks, fault)
  }
}

/// A place in a panorama that leads somewhere or says something.
public struct PhotoMark: Sendable, Hashable {
  public let yawDegrees: Double
  public let pitchDegrees: Double
  /// On one line, without control characters; never empty.
  public let label: String
  public let target: Target
  /// The id of a door that a member made; nil for other hot spots.
  public let door: String?
  /// The id of the remark that it is.
  public let remark: String?

  public enum Target: Sendable, Hashable {
    /// Only the label.
    case none
    /// Another photo of the club. `own` is its scene's view.
    case photo(StorePath, Tour.Arrival, own: Tour.View)
    /// A note by its path in the club, or an address of the web, as in a note's link.
    case link(String)
    /// It leads nowhere; a sentence says why.
    case broken(String)
  }

  public init(
    yawDegrees: Double, pitchDegrees: Double, label: String, target: Target, door: String? = nil, remark: String? = nil
  ) {
    (self.yawDegrees, self.pitchDegrees, self.label) = (yawDegrees, pitchDegrees, label)
    (self.target, self.door, self.remark) = (target, door, remark)
  }
}

extension PhotosService {
  /// The tour of a photo, and the remarks in its directions; nil if there are none. For `photos/pier.jpg`, `pier.jpg.json`
  /// counts first, then `pier.json`, then the photo's scene in `tour.json`. The files are Pannellum's, and lead only to
  /// photos of this club.
  /// - Throws: `corrupt` for a file that is no tour, `tooLarge`; the store's errors.
  public func tour(of photo: StorePath) async throws(StoreError) -> PhotoTour? {
    try await tour(of: photo, marks: try await talkMarks(in: photo))
  }

  /// The tour again if another member than it claims brought one of the remarks; nil where names cannot be compared. It
  /// takes requests.
  public func comparedTour(of photo: StorePath) async -> PhotoTour? {
    do throws(StoreError) {
      guard let notes, known.mayHave(try Talk.path(of: photo)), let talk = try await notes.checkedTalk(about: photo),
        talk.remarks.contains(where: { $0.bringer != nil })
      else { return nil }
      return try await tour(of: photo, marks: marks(of: talk, in: photo))
    } catch {
      // The hot spots are shown as they are; the screen of remarks says why.
      return nil
    }
  }

  private func tour(of photo: StorePath, marks remarks: [PhotoMark]) async throws(StoreError) -> PhotoTour? {
    for file in tourFiles(of: photo) {
      guard let bytes = try await known(file, limit: TourReader.mostBytes) else { continue }
      let tour: Tour
      do throws(TourReader.Fault) {
        tour = try TourReader.read(bytes)
      } catch {
        // A photo has nothing to do with most files above its album.
        guard file.parent == photo.parent else { continue }
        throw StoreError(
          .corrupt, "\"\(file)\" is not a tour that byteclub can read: \(error.reason).",
          remedy: "Correct or remove the file.", path: file)
      }
      if let found = photoTour(photo, tour, file) {
        return PhotoTour(title: found.title, view: found.view, marks: found.marks + remarks, fault: found.fault)
      }
    }
    return remarks.isEmpty ? nil : PhotoTour(marks: remarks)
  }

  /// The doors of the photo, and the remarks about directions of it; also those that wait on this machine.
  private func talkMarks(in photo: StorePath) async throws(StoreError) -> [PhotoMark] {
    let path = try Talk.path(of: photo)
    var bytes = try await notes?.own(path)?.bytes
    if bytes == nil { bytes = try await remarkBytes(of: photo) }
    return marks(of: bytes.map { Talk($0) } ?? .none, in: photo)
  }

  private func marks(of talk: Talk, in photo: StorePath) -> [PhotoMark] {
    let doors = talk.doors.map { item in
      PhotoMark(
        yawDegrees: item.door.yaw, pitchDegrees: item.door.pitch, label: item.door.label,
        target: target(of: item.door, photo), door: item.id)
    }
    return doors
      + talk.remarks.compactMap { remark in
        guard case .direction(let yaw, let pitch) = remark.item.aim, !remark.isWithdrawn else { return nil }
        let text = TalkItem.clean(String(remark.text.prefix(Self.mostLabel)))
        return PhotoMark(
          yawDegrees: yaw, pitchDegrees: pitch, label: "\(remark.claim): \(text)", target: .none, remark: remark.id)
      }
  }

  /// Of a remark's text, in characters; opened, it is whole.
  private static let mostLabel = 300

  private func target(of door: Door, _ photo: StorePath) -> PhotoMark.Target {
    guard let path = door.target(from: photo), isPhoto(path) else {
      return .broken("\"\(door.address)\" is no photo of this club, so byteclub does not go there.")
    }
    guard known.isListed, known.entry(at: path) == nil else { return .photo(path, Tour.Arrival(), own: Tour.View()) }
    return .broken("\"\(path)\" is not in the club any more. It may be in the trash, or have another name.")
  }

  /// Makes a door from a panorama to another, and the way back: in the opposite direction of the compass or, where a
  /// picture does not give its heading, of the picture.
  /// - Returns: as `NotesService.addDoors`.
  public func addDoor(
    from photo: StorePath, yawDegrees yaw: Double, pitchDegrees pitch: Double, headingDegrees: Double?,
    to target: StorePath
  ) async throws(StoreError) -> StoreError? {
    var north: Double?
    do throws(StoreError) {
      north = PictureGeometry(try await header(of: target)).northYawDegrees
    } catch {
      guard error.kind == .unsupported || error.isTemporary else { throw error }
    }
    let opposite = 180 + (headingDegrees.flatMap { heading in north.map { heading + $0 } } ?? yaw)
    let door = try Door(to: target, from: photo, yaw: yaw, pitch: pitch)
    let back = try Door(to: photo, from: target, yaw: opposite, pitch: -pitch)
    known.put(tours: [try Talk.path(of: photo), try Talk.path(of: target)])
    guard let notes else { throw StoreError(.unsupported, "\"\(club.place)\" takes no doors.", path: photo) }
    return try await notes.addDoors(door, in: photo, back: back, in: target, id: TalkItem.newID)
  }

  /// As `NotesService.withdrawDoor`.
  public func withdrawDoor(_ id: String, in photo: StorePath) async throws(StoreError) -> StoreError? {
    guard let notes else { throw StoreError(.unsupported, "\"\(club.place)\" takes no doors.", path: photo) }
    return try await notes.withdrawDoor(id, in: photo)
  }

  /// Empty if there are none, and if there are too many: opening them says so, and the photo is shown.
  func remarkBytes(of photo: StorePath) async throws(StoreError) -> [UInt8] {
    do throws(StoreError) {
      let file = try Talk.path(of: photo)
      return known.mayHave(file) ? try await club.talkFile(file).bytes : []
    } catch {
      guard [.tooLarge, .notFound, .badName].contains(error.kind) else { throw error }
      return []
    }
  }

  /// A file beside a photo; nil if there is none, which the last listing often knows.
  private func known(_ file: StorePath, limit: Int) async throws(StoreError) -> [UInt8]? {
    guard known.mayHave(file) else { return nil }
    return try await ifThere(or: [.badName]) { () throws(StoreError) in
      try await club.store.readAll(file, limit: limit).bytes
    }
  }

  /// In the photo's folder, then in those above it, from which a photo of a tour may have been moved.
  private func tourFiles(of photo: StorePath) -> [StorePath] {
    let ending = Array(".json".utf8)
    let name = photo.name
    let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
    let shared = [Array(stem) + ending, Array("tour.json".utf8)]
    var (folder, files) = (photo.parent, [photo.parent.descending((Array(name) + ending)[...])])
    files += shared.map { folder.descending($0[...]) }
    while folder.relative(to: club.photosFolder) != nil {
      folder = folder.parent
      files += shared.map { folder.descending($0[...]) }
    }
    var seen: Set<StorePath> = []
    return files.filter { PhotosService.walkTitle(of: $0) == nil && seen.insert($0).inserted }
  }

  /// nil if the file says nothing about the photo.
  private func photoTour(_ photo: StorePath, _ tour: Tour, _ file: StorePath) -> PhotoTour? {
    let folder = file.parent
    func path(of scene: Tour.Scene) -> StorePath? { scene.panorama.flatMap { self.photo($0, in: folder) } }
    let isOwn = folder == photo.parent && !file.name.elementsEqual("tour.json".utf8)
    // A file with the photo's name is about this photo, even if it names no panorama.
    let scene =
      tour.scenes.sorted { $0.key < $1.key }.first { path(of: $0.value) == photo }?.value
      ?? (isOwn ? tour.scenes[""] : nil)
    // Archives of photos write files with a title, but without a panorama.
    guard let scene,
      !scene.hotSpots.isEmpty || scene.view != Tour.View() || !scene.faults.isEmpty
        || !scene.title.isEmpty && scene.panorama != nil
    else { return nil }
    let marks = scene.hotSpots.map { spot in
      var label = spot.text
      let target: PhotoMark.Target
      switch spot.target {
      case .none: target = .none
      case .link(let link):
        target = self.link(link, in: folder)
        if label.isEmpty { label = link }
      case .scene(let id, let arrival):
        let next = tour.scenes[id]
        if label.isEmpty { label = next.flatMap { $0.title.isEmpty ? nil : $0.title } ?? id }
        if let path = next.map(path) ?? self.photo(id, in: folder) {
          target = .photo(path, arrival, own: next?.view ?? Tour.View())
        } else if let next {
          target = .broken(
            next.panorama.map { "\"\($0)\" is no photo of this club, so byteclub does not go there." }
              ?? "The scene \"\(id)\" of \"\(file)\" names no panorama.")
        } else {
          target = .broken("\"\(file)\" has no scene \"\(id)\".")
        }
      }
      return PhotoMark(
        yawDegrees: spot.yawDegrees, pitchDegrees: spot.pitchDegrees, label: label.isEmpty ? "a place" : label,
        target: target)
    }
    let fault = scene.faults.first.map { "In \"\(file)\", \($0). byteclub shows the photo without it." }
    return PhotoTour(title: scene.title, view: scene.view, marks: marks, fault: fault)
  }

  /// The photo at an address relative to a folder; nil if it leads out of the photos folder or is no picture.
  private func photo(_ address: String, in folder: StorePath) -> StorePath? {
    guard let path = Self.resolved(address, in: folder), isPhoto(path) else { return nil }
    return known.place(of: path) ?? path
  }

  /// Addresses that begin with a dot count from the file's folder, others are a note's link.
  private func link(_ address: String, in folder: StorePath) -> PhotoMark.Target {
    guard address.hasPrefix("./") || address.hasPrefix("../") else { return .link(address) }
    guard let path = Self.resolved(address, in: folder) else {
      return .broken("\"\(address)\" leads out of the club, so byteclub does not go there.")
    }
    return .link("\(path)")
  }

  /// nil for an absolute address, one with a scheme, and one above the club's folder.
  static func resolved(_ address: String, in folder: StorePath) -> StorePath? {
    guard !address.isEmpty, !address.hasPrefix("/"), !address.contains("://"),
      let text = PercentEncoding.decoded(address, plusIsSpace: false)
    else { return nil }
    var path = folder
    for part in Array(text.utf8).split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual("..".utf8) {
        if path.isRoot { return nil }
        path = path.parent
        continue
      }
      if part.contains(0) { return nil }
      path = path.descending(part)
    }
    return path
  }
}
