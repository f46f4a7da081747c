import ArgumentParser
import FileStores

struct PhotoMove: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "mv", abstract: "Rename a photo or an album, or move photos into an album.",
    discussion: Examples.text([
      "byteclub photo mv img_0042.jpg garage.jpg": "rename it within its album",
      "byteclub photo mv pier.jpg quay.jpg oslo/": "move both into the album oslo; a new name makes one",
      "byteclub photo mv oslo/pier.jpg /": "move it out of its album, to the top",
      "byteclub photo mv pier.jpg oslo/low-tide.jpg": "move and rename",
      "byteclub photo mv oslo/ norway/": "rename an album; into norway/, if that is there",
      "byteclub photo mv pier.jpg quay.jpg --mend-links": "links of notes lead to the new name",
    ])
      + "\n\nAlbums are the folders below the photos folder. Caption, remarks and tour follow the photo. A taken name is not "
      + "replaced.")

  @Argument(
    help: "The photos and albums, then the new name of one, or an album with a slash at its end.",
    completion: NameCompletion.photosAndAlbums)
  var names: [String]
  @Flag(help: "Mend the links of notes that point there.") var mendLinks = false
  @OptionGroup var shared: SharedOptions

  func validate() throws { try FolderMove<FiledPhotos>.check(names) }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    try await FolderMove(files: FiledPhotos(session), session: session, mendsLinks: mendLinks).perform(names)
  }
}
