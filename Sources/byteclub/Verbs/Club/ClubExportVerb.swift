import ArgumentParser
import ClubServices
import FileStores
import JSON
import TextUI

/// `byteclub club export`.
struct ClubExportVerb: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Copy all of the club's files into a directory.",
    discussion: Examples.text([
      "byteclub club export ~/club-copy": "notes and photos, with their folders",
      "byteclub club export --replace ~/club-copy": "every night: new and changed files",
    ])
      + "\n\nbyteclub does not download files again that the directory already has with the same content: an interrupted export "
      + "goes on. A file with other content stays and is listed, unless you add --replace. Nothing is removed. "
      + "Saves that wait on this machine to be sent are not in the club yet, and not among the files.")

  @Argument(help: "The directory; byteclub makes it when needed.", completion: .directory) var directory: String
  @Flag(name: .long, help: "Replace files that differ from the club's.") var replace = false
  @OptionGroup var reporting: ProgressOptions
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let target = try await ExportDirectory.open(directory, session.setup)
    let printer = ExportPrinter(reporting.style(session.output, isJSON: session.isJSON), session.output)
    let outcome: ClubExport.Outcome
    do throws(StoreError) {
      let export = ClubExport(from: session.store, to: target.store, pool: session.setup.pool)
      outcome = try await export.run(replaces: replace) { printer.tell($0) }
    } catch {
      printer.finish()
      throw error
    }
    printer.finish()
    let (files, bytes) = (outcome.written.files, outcome.written.bytes)
    var answer = Answer(
      [
        Record(
          .members([
            "path": .string(target.path), "written": .number(files), "bytes": .number(bytes),
            "kept": .number(outcome.kept),
          ]), line: nil)
      ],
      notice: "\(files) \(files == 1 ? "file" : "files") (\(ByteCount.text(bytes))) copied to "
        + session.setup.paths.abbreviating(target.path)
        + (outcome.kept > 0 ? ", \(outcome.kept) \(outcome.kept == 1 ? "was" : "were") there already." : "."))
    answer.failures = outcome.failures
    return answer
  }
}
