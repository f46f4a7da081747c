import ArgumentParser
import ClubServices
import FileStores
import JSON

struct PhotoCaption: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "caption", abstract: "Print or write the caption of a photo.",
    discussion: Examples.text([
      "byteclub photo caption pier.jpg": "print it",
      "byteclub photo caption pier.jpg \"Low tide, seen from the *pier*\"": "write it, in Markdown",
      "byteclub photo caption pier.jpg - < pier.txt": "from a file",
      "byteclub photo caption pier.jpg \"\"": "put it into the trash",
    ])
      + "\n\nThe caption is a note beside the photo: pier.jpg.md. It follows the photo to a new name and into the trash, "
      + "and `byteclub search` finds it. When someone else changes it in the meantime, nothing is written and the exit code "
      + "is 5. While the server is away, the text is kept on this machine, the exit code is 6, and byteclub sends it "
      + "later.")

  @Argument(help: "The photo.", completion: NameCompletion.photos) var name: String
  @Argument(help: "The new caption; - is standard input, an empty one removes the caption.") var text: String?
  @OptionGroup var shared: SharedOptions

  func validate() throws { if text == "-" { try StandardInput.checkOpen() } }

  var readsInput: Bool { text == "-" }
  var readsTyping: Bool { true }

  /// That of the caption; of a note if the text can be none.
  func path(ofInput text: [UInt8], _ setup: ClubSetup) throws(StoreError) -> StorePath {
    let note = try HeldText.path(like: "\(name).md")
    guard text.count <= Caption.mostBytes else { return note }
    do throws(StoreError) {
      return try Caption.path(of: StorePath(setup.photosFolder().bytes + [UInt8(ascii: "/")] + Array(name.utf8)))
    } catch {
      return note
    }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let photos = session.open.photos
    let typed = try await typedText(session)
    if let typed, typed.count > Caption.mostBytes {
      throw StoreError(
        .tooLarge, "The caption has \(typed.count) bytes; \(Caption.mostBytes) is the most.",
        remedy: "Write a note instead, and link the photo in it.")
    }
    let found: Result<(photo: StorePath, caption: Caption?), StoreError>
    do throws(StoreError) {
      let photo = try await PhotoName.entry(name, photos).path
      found = .success((photo, try await photos.caption(of: photo)))
    } catch {
      found = .failure(error)
    }
    if case .failure(let error) = found, let typed, !typed.isEmpty, error.kind != .notFound {
      let path = try Caption.path(of: try photos.path(named: name))
      try await session.open.notes.keep(typed, for: path, base: nil, after: error)
      throw session.kept(path, error)
    }
    let (photo, caption) = try found.get()
    guard let bytes = typed else {
      guard let caption else {
        throw StoreError(
          .notFound, "\"\(name)\" has no caption.", remedy: "Write one with: byteclub photo caption NAME TEXT",
          path: photo)
      }
      guard session.isJSON else {
        session.output.text(caption.text)
        return Answer()
      }
      let shown = JSONMember("text", .string(String(decoding: caption.text, as: UTF8.self)))
      return Answer([Record(JSONValue.file(caption.entry).adding([shown]), line: nil)])
    }
    guard !bytes.isEmpty else { return try await remove(caption, session) }
    let path = try Caption.path(of: photo)
    let notes = session.open.notes
    switch try await notes.save(path, base: caption?.entry.revision, text: bytes, draft: nil, isOnlyCopy: true) {
    case .saved(let entry):
      await notes.dropReplaced(path, over: caption?.entry.revision)
      return Answer([Record(.file(entry), line: nil)], notice: "Saved \"\(entry.path)\".")
    case .merged(let merged): return Answer([Record(.file(merged.entry), line: nil)], notice: merged.sentence)
    case .kept(_, let error): throw session.kept(path, error)
    case .conflict(let conflict):
      // A script tries again, so this text must not be sent by itself.
      try await notes.keepAsDraft(conflict.save)
      throw changed(path, conflict.theirEntry)
    case .deleted: throw changed(path, nil)
    }
  }

  /// nil to show the caption.
  private func typedText(_ session: Session) async throws(StoreError) -> [UInt8]? {
    guard let text else { return nil }
    return text == "-" ? try await TextInput.read(text, session) : Array(text.utf8) + (text.isEmpty ? [] : [0x0A])
  }

  private func remove(_ caption: Caption?, _ session: Session) async throws(StoreError) -> Answer {
    guard let caption else { return Answer([], notice: "\"\(name)\" has no caption.") }
    let file = try await session.open.notes.trash(caption.entry.path, seen: caption.entry)
    try await session.refuseWaiting("The move of the caption of \"\(name)\" to the trash", at: caption.entry.path)
    return Answer([Record(.trashed(file), line: nil)], notice: "Put the caption of \"\(name)\" into the trash.")
  }

  private func changed(_ path: StorePath, _ current: FileEntry?) -> StoreError {
    StoreError(
      .conflict,
      "Someone else \(current == nil ? "deleted" : "changed") \"\(path)\" in the meantime. Nothing was written. This text "
        + "is a draft on this machine.",
      remedy:
        "Look at it with \"byteclub photo caption\", then run the command again, or keep both: byteclub draft send "
        + "\(path.shellWord) --both", path: path, current: current)
  }
}
