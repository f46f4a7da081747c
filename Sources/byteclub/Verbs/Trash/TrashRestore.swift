import ArgumentParser
import ClubServices
import FileStores

/// `byteclub trash restore`.
struct TrashRestore: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put files back where they were.",
    discussion: Examples.text([
      "byteclub trash restore Answer.md": "the newest of that name",
      "byteclub trash restore photos/garage.jpg": "a photo",
      "byteclub trash restore Answer.md --as Old": "under another name: Old.md",
    ]))

  @Argument(help: "The files, as trash ls names them (.md may be left out), or their ids.") var names: [String]
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("Another name for the one file; without an ending it gets the old one.", valueName: "name"))
  var newName: String?
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard newName == nil || names.count == 1 else {
      throw ValidationError("--as works with one file. Restore one at a time.")
    }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    return try await Several.perform(names) { name throws(StoreError) in
      guard let file = TrashRestore.file(name, in: try await notes.trashed()) else {
        throw StoreError(
          .notFound, "The trash has no \"\(name)\".", remedy: "See the names with: byteclub trash ls")
      }
      do throws(StoreError) {
        let target = try newName.map { (name) throws(StoreError) in try TrashRestore.path(name, of: file) }
        let entry =
          if let target { try await notes.restore(file.id, as: target) } else { try await notes.restore(file.id) }
        session.notice("Put \"\(entry.path)\" back.")
        return Record(.file(entry), line: nil)
      } catch  where error.kind == .exists {
        throw StoreError(
          .exists, error.message, remedy: "Choose another name with --as.", path: error.path, current: error.current)
      }
    }
  }

  /// The newest that a word on the command line means: by its id, its path, or its name.
  static func file(_ word: String, in trash: [TrashedFile]) -> TrashedFile? {
    let words = [word] + (word.contains(".") ? [] : [word + ".md"])
    for word in words.map({ Array($0.utf8) }) {
      let found =
        trash.first { word.elementsEqual($0.id.utf8) } ?? trash.first { word == $0.origin.bytes }
        ?? trash.first { word.elementsEqual($0.origin.name) }
      if let found { return found }
    }
    return nil
  }

  /// Where a file goes under another name: beside where it was.
  static func path(_ name: String, of file: TrashedFile) throws(StoreError) -> StorePath {
    let old = file.origin.name
    var bytes = Array(name.utf8)
    if !bytes.contains(UInt8(ascii: ".")), let dot = old.lastIndex(of: UInt8(ascii: ".")), dot > old.startIndex {
      bytes += old[dot...]
    }
    return try file.origin.parent.appending(bytes)
  }
}
