import ClubServices
import FileStores
import TextUI
import Transfers

@testable import Screens

/// Commands as words, so that a test reads as what was asked for.
enum Spelling {
  static func of(_ command: Command<ClubEffect, ClubAction>) -> String {
    switch command {
    case .run(let effect, let key): "run " + of(effect) + (key.map { " [\($0)]" } ?? "")
    case .post(let effect): "post " + of(effect)
    case .cancel(let key): "cancel [\(key)]"
    case .handOver(let program, _): "hand over to \(program.arguments.joined(separator: " "))"
    case .redraw: "redraw"
    case .suspend: "suspend"
    case .bell: "bell"
    case .copy(let text): "copy \(text)"
    case .tell(let message): "tell \(of(message))"
    case .quit: "quit"
    }
  }

  private static func of(_ message: TerminalMessage) -> String {
    switch message {
    case .notification(let text): "notification: \(text)"
    case .title(let title): "title: \(title ?? "none")"
    case .progress(let progress):
      "progress: " + (progress.map { "\($0.percent)\($0.isPaused ? " paused" : "")" } ?? "none")
    }
  }

  private static func of(_ effect: ClubEffect) -> String {
    switch effect {
    case .notes(let effect): of(effect)
    case .photos(let effect): of(effect)
    case .transfers(let effect): of(effect)
    case .followConnection: "follow the connection"
    case .endPauses: "end pauses"
    }
  }

  private static func of(_ effect: TransfersEffect) -> String {
    switch effect {
    case .attach: "attach to transfers"
    case .say(let commands): "say " + commands.map(of).joined(separator: ", ")
    case .carryOut: "carry out"
    case .readLimit: "read the limit"
    case .openOutside(let file): "open file \(file)"
    case .askToLeave: "ask to leave"
    case .pauseAndLeave: "pause and leave"
    case .goOnInBackground: "go on in the background"
    }
  }

  private static func of(_ command: TransferCommand) -> String {
    switch command {
    case .pause(let id): "pause \(id)"
    case .resume(let id): "resume \(id)"
    case .cancel(let id): "cancel \(id)"
    case .retry(let id): "retry \(id)"
    case .move(let id, let move): "move \(id) \(move.rawValue)"
    case .dismiss(let id): "dismiss \(id)"
    case .acknowledge(let id): "acknowledge \(id)"
    case .pauseAll: "pause all"
    case .resumeAll: "resume all"
    case .cancelAll: "cancel all"
    case .dismissFinished: "dismiss finished"
    case .limit(let limit): "limit \(limit.map(String.init) ?? "off")"
    case .concurrency(let count): "concurrency \(count)"
    }
  }

  private static func of(_ effect: NotesEffect) -> String {
    switch effect {
    case .files(let effect): of(effect)
    case .details(let paths): "details \(list(paths))"
    case .open(let path, let purpose): "open \(path) to \(purpose)"
    case .lookOn: "look on"
    case .findWaiting: "find waiting"
    case .lookWaiting: "look waiting"
    case .readWaiting(let text): "read waiting \(text.title)"
    case .send(let text): "send \(text.title)"
    case .sendAll(let conflicts): "send all" + (conflicts ? " and conflicts" : "")
    case .awaitSending: "await sending"
    case .watchKeeping: "watch keeping"
    case .discard(let text): "discard \(text.kind.rawValue) \(text.title)"
    case .openDraft(let draft): "open draft \(draft.id)"
    case .beginDraft(let session, let path, let title, let base, let text):
      "begin draft \(session) of \(path.map { "\($0)" } ?? "new") \"\(title)\" over \(name(base)): \(quoted(text))"
    case .adoptDraft(let session, let draft): "adopt draft \(draft) as \(session)"
    case .recordEdits(let session, let edits): "edits \(session) " + edits.map(of).joined(separator: ", ")
    case .retitleDraft(let session, let title): "retitle \(session) \"\(title)\""
    case .dropDraft(let session, let isKept): "\(isKept ? "drop" : "delete") draft \(session)"
    case .save(let path, let base, let text, let session):
      "save \(path) over \(name(base)): \(quoted(text)) draft \(number(session))"
    case .create(let name, let text, let session): "create \(name): \(quoted(text)) draft \(number(session))"
    case .resolve(let conflict, let choice, _):
      "resolve \(conflict.path) by \(of(choice)) over \(name(conflict.theirEntry?.revision))"
    case .history(let path): "history of \(path)"
    case .version(let path, let revision): "version \(revision) of \(path)"
    case .restoreVersion(let path, let revision, let base): "restore \(revision) of \(path) over \(name(base))"
    case .beginEdit(let path): "edit outside \(path)"
    case .followEdit: "follow the edit"
    case .endEdit: "end the edit"
    }
  }

  private static func of(_ effect: PhotosEffect) -> String {
    switch effect {
    case .files(let effect): of(effect)
    case .thumbnails(let paths, let failed, let columns, let rows):
      "thumbnails \(list(paths))\(failed.isEmpty ? "" : ", then \(list(failed))") in \(columns)x\(rows)"
    case .prefetch(let path): "prefetch \(path)"
    case .view(let path, let file): "view \(path)" + (file.map { " from \($0)" } ?? "")
    case .lookOnDisk(let copies): "look for \(copies.map(\.file).joined(separator: " "))"
    case .openOnDisk(let file): "open file \(file)"
    case .seek(let words): "seek \(words)"
    case .info(let path): "info \(path)"
    case .openKept(let path): "open kept \(path)"
    case .upload(let paths, let again): "upload \(paths.joined(separator: " "))\(again ? " again" : "")"
    case .download(let paths, let directory, let again):
      "download \(list(paths)) to \(directory)\(again ? " again" : "")"
    case .stopPreparing: "stop preparing"
    case .findFolder(let typed): "find folder \(typed)"
    case .makeFolder(_, let path): "make folder \(path)"
    case .remember(let folder, let purpose): "remember \(folder) for \(purpose)"
    case .complete(let typed, let purpose): "complete \"\(typed)\" for \(purpose)"
    }
  }

  private static func of(_ effect: FileListEffect) -> String {
    switch effect {
    case .list: "list"
    case .search(let words): "search \(words)"
    case .watch: "watch"
    case .rename(let path, let name): "rename \(path) to \(name)"
    case .trash(let paths): "trash \(list(paths))"
    case .undo(let step): of(step)
    case .openOutside(let path): "open outside \(path)"
    }
  }

  private static func of(_ step: UndoStep) -> String {
    switch step {
    case .restore(let files): "restore \(files.map(\.id).joined(separator: " "))"
    case .rename(let path, let name): "rename back \(path) to \(name)"
    }
  }

  private static func of(_ choice: ConflictChoice) -> String {
    switch choice {
    case .mine: "mine"
    case .theirs: "theirs"
    case .both: "both"
    case .text(let text): quoted(text)
    }
  }

  private static func of(_ edit: DraftEdit) -> String {
    "\(edit.offset)-\(edit.removed)+\(quoted(edit.inserted))"
  }

  private static func name(_ revision: Revision?) -> String { revision?.value ?? "nothing" }
  private static func number(_ session: Int?) -> String { session.map(String.init) ?? "none" }
  private static func quoted(_ text: [UInt8]) -> String { "\"" + String(decoding: text, as: UTF8.self) + "\"" }
  private static func list(_ paths: [StorePath]) -> String { paths.map { "\($0)" }.joined(separator: " ") }
}
