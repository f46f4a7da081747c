import ArgumentParser
import ClubServices
import FileStores
import Transfers

/// `byteclub photo put`.
struct PhotoPut: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "put", abstract: "Upload photos, byte by byte as they are.",
    discussion: Examples.text([
      "byteclub photo put garage.jpg": "one photo",
      "byteclub photo put *.jpg --progress plain": "many, with a progress line every few seconds",
    ])
      + "\n\nbyteclub does not upload a picture again that the club already has, whatever its name, unless you add --again. A "
      + "taken name is not replaced: the photo gets a new one, such as \"garage (2).jpg\". A damaged picture is "
      + "refused. Ctrl-C cancels and leaves nothing behind. While the server is away, the upload stays in the list of "
      + "transfers, the exit code is 6, and byteclub transfer run, or the app, sends it.")

  @Argument(help: "The files.", completion: .file(extensions: ["jpg", "jpeg", "png", "webp"])) var files: [String]
  @Flag(name: .long, help: "Also upload pictures that the club already has.") var again = false
  @OptionGroup var reporting: ProgressOptions
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let (open, files, again) = (session.open, files, again)
    let printer = ProgressPrinter(
      reporting.style(session.output, isJSON: session.isJSON), session.output, watchesAll: false)
    await open.transfers.attach(printer)
    var answer = Answer()
    var started: [Transfer.ID] = []
    var away: StoreError?
    for file in files where !Task.isCancelled {
      do throws(StoreError) {
        let plan = try await open.photos.planUpload(file, asksStore: away == nil)
        if !again, let entry = plan.existing {
          let name = String(decoding: PhotoName.bytes(entry.path, open.club), as: UTF8.self)
          answer.notices.append("The club already has the picture \"\(file)\": \(name).")
          answer.records.append(Record(PhotoName.already(entry, open.club), line: nil))
          continue
        }
        if let renaming = plan.renaming { printer.say(renaming) }
        let id = try await open.photos.upload(plan)
        away = away ?? plan.unanswered
        if let away {
          answer.failures.append(away.ofQueued(plan))
        } else {
          printer.watch([id])
          started.append(id)
        }
      } catch {
        answer.failures.append(error)
      }
    }
    for transfer in await TransferWait.untilOver(started, open.transfers) {
      if transfer.state != .done, let error = transfer.error {
        answer.failures.append(error)
      } else {
        answer.records.append(Record(.transfer(transfer), line: nil))
      }
    }
    printer.finish()
    await open.transfers.stop()
    if Task.isCancelled { answer.failures.append(.cancelled("The upload")) }
    return answer
  }
}

extension StoreError {
  /// This error, for which an upload waits in the list of transfers.
  fileprivate func ofQueued(_ plan: UploadPlan) -> StoreError {
    StoreError(
      kind, "The upload of \"\(plan.localPath)\" is kept on this machine, not yet in the club. \(message)",
      remedy: "The app sends it when the server answers. To send it now: byteclub transfer run",
      path: plan.target, retryAfter: retryAfter)
  }
}
