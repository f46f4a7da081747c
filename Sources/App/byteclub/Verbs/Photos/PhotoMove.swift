import ArgumentParser
import ClubServices
import FileStores

struct PhotoMove: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "mv", abstract: "Rename a photo, or move photos into an album.",
    discussion: Examples.text([
      "byteclub photo mv img_0042.jpg garage.jpg": "rename it within its album",
      "byteclub photo mv pier.jpg quay.jpg oslo/": "move both into the album oslo; a new name makes one",
      "byteclub photo mv oslo/pier.jpg /": "move it out of its album, to the top",
      "byteclub photo mv pier.jpg oslo/low-tide.jpg": "move and rename",
    ])
      + "\n\nAlbums are the folders below the photos folder. Caption, remarks and tour follow the photo. A taken name is not "
      + "replaced.")

  @Argument(
    help: "The photos, then the new name of one, or an album with a slash at its end.",
    completion: NameCompletion.photos)
  var names: [String]
  @OptionGroup var shared: SharedOptions

  var changesClub: Bool { true }

  func validate() throws {
    if names.count < 2 { throw ValidationError("Name a photo, then its new name or an album such as oslo/.") }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let (photos, target, names) = (session.open.photos, names[names.count - 1], Array(names.dropLast()))
    var isAlbum = names.count > 1 || target.hasSuffix("/")
    if !isAlbum { isAlbum = try await photos.isAlbum(target) }
    guard isAlbum else { return try await rename(names[0], target, session) }
    let album = try await photos.album(named: target)
    return try await Several.perform(names) { name throws(StoreError) in
      let there = try await PhotoName.entry(name, photos, ignoresCase: false)
      let entry = try await photos.move(there.path, to: album)
      session.notice("Moved \"\(name)\" to \"\(PhotoName.shown(entry.path, photos))\".")
      return Record(PhotoName.json(entry, photos), line: nil)
    }
  }

  private func rename(_ name: String, _ newName: String, _ session: Session) async throws(StoreError) -> Answer {
    let photos = session.open.photos
    let there = try await PhotoName.entry(name, photos, ignoresCase: false)
    let entry: FileEntry
    if let cut = newName.lastIndex(of: "/") {
      // As in `mv`, a folder may precede the new name.
      let (folder, bare) = (String(newName[...cut]), String(newName[newName.index(after: cut)...]))
      let album = try await photos.album(named: folder)
      entry =
        album == there.path.parent
        ? try await photos.rename(there.path, to: bare) : try await photos.move(there.path, to: album, named: bare)
    } else {
      entry = try await photos.rename(there.path, to: newName)
    }
    return Answer(
      [Record(PhotoName.json(entry, photos), line: nil)],
      notice: "Renamed \"\(name)\" to \"\(PhotoName.shown(entry.path, photos))\".")
  }
}
