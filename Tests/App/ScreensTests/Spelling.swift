import ClubServices
import FileStores
import Imaging
import TextUI
import Transfers

@testable import Screens

/// Commands as text, for readable tests.
enum Spelling {
  static func of(_ command: ClubScreen.Commands.Element) -> String {
    switch command {
    case .run(let effect, let key): "run " + of(effect) + (key.map { " [\($0)]" } ?? "")
    case .post(let posting): "post " + of(posting)
    case .cancel(let key): "cancel [\(key)]"
    case .handOver(let program, _): "hand over to \(program.arguments.joined(separator: " "))"
    case .redraw: "redraw"
    case .suspend: "suspend"
    case .bell: "bell"
    case .copy(let text): "copy \(text)"
    case .tell(let message): "tell \(of(message))"
    case .askBackground: "ask for the background"
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
    case .askReader: "ask if the member is a reader"
    case .endPauses: "end pauses"
    case .presence(.follow): "follow the others"
    case .presence(.keepKnown): "keep that others see the member"
    case .presence(.fade(let name)): "fade the pointing of \(name)"
    case .presence(.rest): "let the notice rest"
    case .readNews: "read what happened"
    case .talk(.load(let thing)): "read the remarks on \(thing)"
    case .talk(.findDraft(let thing, let chosen)):
      "find the draft \(chosen.map { "\($0) " } ?? "")of a remark on \(thing)"
    case .talk(.dropDraft(let typing)):
      "drop the draft of a \(typing.isCorrection ? "correction" : "remark") on \(typing.thing)"
    case .talk(.beginEdit(let text, let aim, let thing)): "edit outside \(quoted(text)) \(aim) on \(thing)"
    case .talk(.endEdit(let copy)): "end the edit of a remark on \(copy.thing)"
    case .talk(.dropCopy(let copy)): "drop the copy of a remark on \(copy.thing)"
    case .talk(.say(let text, let aim, let thing)): "say \"\(text)\" \(aim) on \(thing)"
    case .wall(.read(let paths, _)): "read for the wall \(list(paths))"
    case .wall(.words(let path, _)): "read the words of \(path)"
    case .wall(.wait(let pause, let action)): "wait \(pause) for \(action)"
    case .preview(let request): "preview \(request.path)"
    case .added(let place, let effect): "added \(place): \(effect)"
    }
  }

  private static func of(_ posting: ClubPosting) -> String {
    switch posting {
    case .notes(let posting): of(posting)
    case .talk(.beginDraft(let typing, let aim, let text)): "begin remark \(aim) on \(typing.thing): \(quoted(text))"
    case .talk(.recordEdits(let typing, let edits)):
      "edits of a remark on \(typing.thing) " + edits.map(of).joined(separator: ", ")
    case .talk(.takeDraft(let typing, let draft)): "the remark on \(typing.thing) is draft \(draft)"
    case .talk(.moveDraft(let typing, let aim)): "remark on \(typing.thing) is \(aim)"
    case .transfers(.say(let commands)): "say " + commands.map(of).joined(separator: ", ")
    case .look(let sight):
      "look at \(sight.path.map { "\($0)" } ?? "the lists")" + (sight.edits ? " editing" : "")
        + (sight.line.map { " line \($0.number) of \($0.revision)" } ?? "")
        + (sight.gaze.map { " \($0.yaw) \($0.pitch) \($0.width)" } ?? "") + (sight.follows ? " following" : "")
    case .added(let place, let posting): "added \(place): \(posting)"
    }
  }

  private static func of(_ posting: NotesPosting) -> String {
    switch posting {
    case .beginDraft(let session, let path, let title, let base, let text):
      "begin draft \(session) of \(path.map { "\($0)" } ?? "new") \"\(title)\" over \(name(base)): \(quoted(text))"
    case .adoptDraft(let session, let draft): "adopt draft \(draft) as \(session)"
    case .recordEdits(let session, let edits): "edits \(session) " + edits.map(of).joined(separator: ", ")
    case .retitleDraft(let session, let title): "retitle \(session) \"\(title)\""
    }
  }

  private static func of(_ effect: TransfersEffect) -> String {
    switch effect {
    case .attach: "attach to transfers"
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
    case .limit(let limit): "limit \(limit.map(String.init) ?? "off")"
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
    case .sendAll(let conflicts, _): "send all" + (conflicts ? " and conflicts" : "")
    case .awaitSending: "await sending"
    case .watchKeeping: "watch keeping"
    case .watchCopy: "watch copy"
    case .acceptRemoval(let count): "accept the removal of \(count)"
    case .discard(let text): "discard \(text.kind.rawValue) \(text.title)"
    case .openDraft(let draft): "open draft \(draft.id)"
    case .dropDraft(let session, let isKept): "\(isKept ? "drop" : "delete") draft \(session)"
    case .save(let path, let base, let text, let session):
      "save \(path) over \(name(base)): \(quoted(text)) draft \(number(session))"
    case .create(let name, let text, let session): "create \(name): \(quoted(text)) draft \(number(session))"
    case .resolve(let conflict, let choice, _):
      "resolve \(conflict.path) by \(of(choice)) over \(name(conflict.theirEntry?.revision))"
    case .history(let path): "history of \(path)"
    case .readNewer(let path, let revision, let base, let session):
      "read newer \(path) over \(name(revision)): \(base.map(quoted) ?? "unknown") draft \(session)"
    case .backlinks(let path): "backlinks of \(path)"
    case .headings(let path): "headings of \(path)"
    case .version(let path, let revision): "version \(revision) of \(path)"
    case .difference(let path, let version, let before):
      "difference of \(path) from \(name(before?.revision)) to \(name(version.revision))"
    case .lookAtVersion(let path, let version, let before):
      "look at \(path) from \(name(before?.revision)) to \(name(version.revision))"
    case .lookTrash: "look into the trash"
    case .lookAtTrashed(let file): "look at \(file.id) in the trash"
    case .restoreTrashed(let files): "restore \(files.map(\.id).joined(separator: " ")) from the trash"
    case .blame(let path): "blame of \(path)"
    case .undoMerge(let merged): "undo the merge of \(merged.entry.path)"
    case .restoreVersion(let path, let revision, let base): "restore \(revision) of \(path) over \(name(base))"
    case .readTemplate(let path): "read the template \(path.map { "\($0)" } ?? "none")"
    case .findToday: "find the day's note"
    case .findTags: "find tags"
    case .keepPins(let paths): "keep the pins \(list(paths))"
    case .picture(.complete(let typed)): "complete \"\(typed)\" for a note"
    case .picture(.look(let pasted)): "look for \(quoted(pasted))"
    case .picture(.upload(let file)): "upload \(file) for a note"
    case .beginEdit(let path): "edit outside \(path)"
    case .followEdit: "follow the edit"
    case .endEdit: "end the edit"
    }
  }

  private static func of(_ effect: PhotosEffect) -> String {
    switch effect {
    case .files(let effect): of(effect)
    case .thumbnails(let paths, let failed, let columns, let rows, let boxes, _):
      "thumbnails \(list(paths))\(failed.isEmpty ? "" : ", then \(list(failed))")"
        + (boxes.isEmpty ? " in \(columns)x\(rows)" : "")
    case .shapes(let paths): "shapes \(list(paths))"
    case .prefetch(let paths): "prefetch \(list(paths))"
    case .kinds(let paths): "kinds \(list(paths))"
    case .captures: "captures"
    case .keepLayout(let layout): "keep the \(layout.rawValue)"
    case .keepGrid(let choice): "keep \(choice.text)"
    case .keepKind(let kind, let path): "keep \(kind) of \(path)"
    case .detail(let path, let request): "detail \(path) at \(request.eighths)/8"
    case .awaitTurn: "await the turn"
    case .awaitRest: "await the rest"
    case .door(let path, let yaw, let pitch, let heading, let target):
      "door from \(path) @\(Int(yaw.rounded())),\(Int(pitch.rounded())) heading "
        + "\(heading.map { "\(Int($0.rounded()))" } ?? "unknown") to \(target)"
    case .withdrawDoor(let door, let path): "withdraw the door \(door) in \(path)"
    case .readWalk(let path): "read the walk \(path)"
    case .keepWalk(_, let title): "keep the walk \(title)"
    case .askForPhotos(let giver): "ask \(giver.isEmpty ? "anyone" : giver) for photos"
    case .caption(let path): "caption \(path)"
    case .tour(let path): "tour \(path)"
    case .view(let path, let file): "view \(path)" + (file.map { " from \($0)" } ?? "")
    case .lookOnDisk(let copies): "look for \(copies.map(\.file).joined(separator: " "))"
    case .openOnDisk(let file): "open file \(file)"
    case .seek(let words): "seek \(words)"
    case .info(let path): "info \(path)"
    case .openKept(let path): "open kept \(path)"
    case .upload(let paths, let album, let again):
      "upload \(paths.joined(separator: " "))\(album.map { " to \($0)" } ?? "")\(again ? " again" : "")"
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
    case .searchTexts(let words, let isTyping): "search texts for \(words)\(isTyping ? " while typing" : "")"
    case .watch: "watch"
    case .rename(let path, let name): "rename \(path) to \(name)"
    case .move(let paths, let folder): "move \(list(paths)) to \(folder)"
    case .mend(let plan): "mend \(plan.linkCount) links in \(plan.noteCount) notes"
    case .leaveLinks(let plan): "leave \(plan.linkCount) links"
    case .trash(let paths): "trash \(list(paths))"
    case .makeFolder(let name, let folder): "make the folder \(name) in \(folder.isRoot ? "/" : "\(folder)")"
    case .moveFolder(let folder, let target, _): "move the folder \(folder) to \(target)"
    case .trashFolder(let folder): "trash the folder \(folder)"
    case .undo(let step, _, _): of(step)
    case .openAddress(let address): "open \(address)"
    case .link(let path, .after(let seconds)): "link to \(path) for \(seconds) s"
    case .link(let path, _): "link to \(path) for ever"
    case .openOutside(let path): "open outside \(path)"
    case .see(let revisions, _): "see \(list(revisions.keys.sorted()))"
    case .keep(.order(let order), let list): "keep order \(order.text) of \(list)"
    case .keep(.search(let text), let list): "keep search \(text) of \(list)"
    case .keep(.flat(let isFlat), let list):
      "keep \(isFlat ? "all \(list) in one list" : list == "photos" ? "albums" : "folders")"
    }
  }

  private static func of(_ step: UndoStep) -> String {
    switch step {
    case .restore(let files): "restore \(files.map(\.id).joined(separator: " "))"
    case .rename(let path, let name): "rename back \(path) to \(name)"
    case .move(let files): "move back \(list(files.map(\.entry.path)))"
    case .moveFolder(let moved): "move the folder \(moved.to) back to \(moved.from)"
    case .restoreFolder(let trashed): "restore the folder \(trashed.folder)"
    case .see(let marks): "mark new \(list(marks.keys.sorted()))"
    case .link(let link): "end the link to \(link.path)"
    case .mend(let notes): "undo the mending of \(list(notes.map(\.path)))"
    case .merge(let merged): "undo the merge of \(merged.entry.path)"
    }
  }

  private static func of(_ choice: ConflictChoice) -> String {
    switch choice {
    case .mine: "mine"
    case .theirs: "theirs"
    case .both: "both"
    case .text(let text): quoted(text)
    case .renamed(let entry): "the name \(entry.path)"
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
