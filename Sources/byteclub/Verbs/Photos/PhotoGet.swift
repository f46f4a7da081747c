import ArgumentParser
import ClubServices
import FileStores
import Transfers

/// `byteclub photo get`.
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

  @Argument(help: "The photos.") var names: [String]
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
    if to == "-" { return try await print(session) }
    let (open, names, again) = (session.open, names, again)
    let goal = try DownloadGoal(to, photos: names.count)
    let printer = ProgressPrinter(
      reporting.style(session.output, isJSON: session.isJSON), session.output, watchesAll: false)
    await open.transfers.attach(printer)
    var answer = Answer()
    var started: [Transfer.ID] = []
    for name in names where !Task.isCancelled {
      do throws(StoreError) {
        let entry = try await PhotoName.entry(name, open.club)
        if !again, let place = try await goal.copy(of: entry.path, open.photos) {
          answer.notices.append("\"\(session.setup.paths.abbreviating(place))\" already exists, with the same content.")
          answer.records.append(Record(PhotoName.already(entry, open.club, place: place), line: nil))
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
    for var transfer in await TransferWait.untilOver(started, open.transfers) {
      if transfer.state != .done, let error = transfer.error {
        answer.failures.append(error)
        continue
      }
      do throws(StoreError) {
        if let place = transfer.place { transfer.place = try goal.name(place) }
      } catch {
        answer.failures.append(error)
      }
      if let place = transfer.place { printer.say("Saved \"\(session.setup.paths.abbreviating(place))\".") }
      answer.records.append(Record(.transfer(transfer), line: nil))
    }
    printer.finish()
    await open.transfers.stop()
    if Task.isCancelled { answer.failures.append(.cancelled("The download")) }
    return answer
  }

  private func print(_ session: Session) async throws(StoreError) -> Answer {
    guard !session.output.resultsAreShown else {
      throw StoreError(
        .badInput, "byteclub does not print a photo's bytes on a terminal.", remedy: "Send them to a file or a pipe.")
    }
    let output = session.output
    for name in names {
      let path = try await PhotoName.entry(name, session.open.club).path
      _ = try await session.store.read(path, from: 0, ifRevision: nil) { chunk throws(StoreError) in
        output.bytes(chunk)
        if output.readerIsGone { throw .cancelled("Printing \"\(path)\"", path: path) }
      }
    }
    return Answer()
  }
}
