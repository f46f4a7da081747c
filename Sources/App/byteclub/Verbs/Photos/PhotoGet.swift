import ArgumentParser
import Basics
import CPlatform
import ClubServices
import FileStores
import POSIX
import Screens
import Transfers

struct PhotoGet: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Download photos.",
    discussion: Examples.text([
      "byteclub photo get garage.jpg": "into the working directory",
      "byteclub photo get garage.jpg beach.jpg --to ~/Pictures": "into another one",
      "byteclub photo get garage.jpg --to wall.jpg": "under another name",
      "byteclub photo get garage.jpg --to - | feh -": "to standard output",
    ])
      + "\n\nbyteclub does not download a photo again that is already there, byte for byte, unless you add --again. Nothing is "
      + "replaced: when a name is taken, the file gets a new one, such as \"garage (2).jpg\".")

  @Argument(help: "The photos.", completion: NameCompletion.photos) var names: [String]
  @Option(
    name: .long,
    help: ArgumentHelp("The directory or, for one photo, the file; - is standard output.", valueName: "place"),
    completion: .directory)
  var to: String = "."
  @Flag(name: .long, help: "Also download photos that are already there.") var again = false
  @OptionGroup var reporting: ProgressOptions
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if shared.json, to == "-" {
      throw ValidationError("--to - and --json both write to standard output. Leave one of them out.")
    }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    if to == "-" { return try await send(session) }
    let (open, names, again) = (session.open, names, again)
    let goal = try DownloadGoal(to, photos: names.count)
    let printer = ProgressPrinter(
      reporting.style(session.output, isJSON: session.isJSON), session.output, isASCII: session.setup.usesASCII,
      watchesAll: false)
    await open.transfers.attach(printer)
    var answer = Answer()
    var started: [Transfer.ID] = []
    for name in names where !Task.isCancelled {
      do throws(StoreError) {
        let entry = try await PhotoName.entry(name, open.photos)
        if !again, let place = try await goal.copy(of: entry.path, open.photos) {
          answer.notices.append("\"\(session.setup.paths.abbreviating(place))\" already exists, with the same content.")
          answer.records.append(Record(PhotoName.already(entry, open.photos, place: place), line: nil))
          continue
        }
        try goal.checkIsFree()
        let id = try await open.photos.download(entry.path, to: goal.folder)
        printer.watch([id])
        started.append(id)
      } catch {
        answer.failures.append(error)
      }
    }
    var copies: [DiskCopy] = []
    for end in await TransferWait.untilOver(started, open.transfers) {
      do throws(StoreError) {
        var transfer = try end.get()
        defer { answer.records.append(Record(.transfer(transfer), line: nil)) }
        if let place = transfer.place { transfer.place = try goal.name(place) }
        if let place = transfer.place { printer.say("Saved \"\(session.setup.paths.abbreviating(place))\".") }
        if let place = transfer.place, let entry = transfer.entry { copies.append(DiskCopy(entry: entry, file: place)) }
      } catch {
        answer.failures.append(error)
      }
    }
    printer.finish()
    await open.transfers.stop()
    let memory = PhotosMemory(state: session.setup.paths.state, club: session.setup.choice.place)
    await session.setup.pool.run { [copies] in memory.add(copies) }
    if Task.isCancelled { answer.failures.append(TransferWait.stopped("download")) }
    return answer
  }

  private func send(_ session: Session) async throws(StoreError) -> Answer {
    guard !session.output.resultsAreShown else {
      throw StoreError(
        .badInput, "byteclub does not print a photo's bytes on a terminal.", remedy: "Send them to a file or a pipe.")
    }
    let output = session.output
    for name in names {
      let path = try await PhotoName.entry(name, session.open.photos).path
      try await session.open.photos.read(path) { chunk throws(StoreError) in
        output.exact(chunk, .photoGet)
        if output.readerIsGone { throw .cancelled("Printing \"\(path)\"", path: path) }
      }
    }
    return Answer()
  }
}

/// A directory or, for one photo, a new file.
struct DownloadGoal: Sendable {
  let folder: String
  /// Absolute; nil if the photo keeps its name.
  private let file: String?
  private let typed: String

  /// - Throws: `notFound` if the directory does not exist; `badInput` for several photos and one file.
  init(_ typed: String, photos: Int) throws(StoreError) {
    self.typed = typed
    guard !LocalDirectory.exists(typed) else {
      (folder, file) = (typed, nil)
      return
    }
    guard !typed.hasSuffix("/") else { throw Self.missing(typed) }
    guard photos == 1 else {
      throw StoreError(
        .badInput, "\"\(typed)\" is not a directory, and \(photos) photos need one.",
        remedy: "Make the directory first, or download one photo.")
    }
    let above = typed.lastIndex(of: "/").map { $0 == typed.startIndex ? "/" : String(typed[..<$0]) } ?? "."
    guard LocalDirectory.exists(above) else { throw Self.missing(above) }
    folder = LocalDirectory.absolute(above)
    let name = typed.lastIndex(of: "/").map { typed[typed.index(after: $0)...] } ?? typed[...]
    file = (folder == "/" ? "/" : folder + "/") + name
  }

  private static func missing(_ folder: String) -> StoreError {
    StoreError(.notFound, "The directory \"\(folder)\" does not exist.", remedy: "Make it with: mkdir -p '\(folder)'")
  }

  func copy(of path: StorePath, _ photos: PhotosService) async throws(StoreError) -> String? {
    guard let file else { return try await photos.copy(of: path, in: folder)?.file }
    return LocalDirectory.holdsAnything(file) ? try await photos.isCopy(file, of: path) ? file : nil : nil
  }

  /// - Throws: `exists`.
  func checkIsFree() throws(StoreError) {
    if let file, LocalDirectory.holdsAnything(file) { throw taken }
  }

  /// Renames the download, and returns its path.
  /// - Throws: `exists` if the name was taken meanwhile, `server` if the disk refuses.
  func name(_ place: String) throws(StoreError) -> String {
    guard let file, place != file else { return place }
    var error = -cp_rename(AT_FDCWD, place, AT_FDCWD, file, 1)
    if error == EINVAL || error == ENOSYS {
      // On file systems without that call, `link` also fails for an existing name.
      error = link(place, file) == 0 ? 0 : errno
      if error == 0 { unlink(place) }
    }
    guard error != 0 else { return file }
    throw StoreError(
      error == EEXIST ? .exists : .server,
      "The photo is saved as \"\(place)\", not as \"\(typed)\": \(SystemError.text(error)).",
      remedy: "Move the file yourself.")
  }

  private var taken: StoreError {
    StoreError(.exists, "\"\(typed)\" already exists and was not replaced.", remedy: "Choose another name.")
  }
}
