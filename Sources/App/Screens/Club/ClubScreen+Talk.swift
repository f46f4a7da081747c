internal import ClubServices
internal import FileStores
internal import TextUI

/// Opening the remarks of what is on the screen, and what happens in them.
extension ClubScreen {
  static func openTalk(_ state: inout ClubState) -> Commands {
    if let news = state.news {
      guard let happening = news.selected else { return [] }
      return openTalk(on: happening.thing, .whole, &state)
    }
    guard let (thing, place) = state.talked else {
      state.frame.say("Select a note or photo first.")
      return []
    }
    // A remark on a note that is read begins with its words.
    let canQuote = state.tab == .notes && !state.frame.isReader && !state.transfers.isOpen && state.talk == nil
    if canQuote, state.notes.beginQuote() { return [] }
    return openTalk(on: thing, place, &state)
  }

  static func openTalk(
    on thing: StorePath, _ place: TalkItem.Aim, remark: String? = nil, draft: Draft.ID? = nil,
    _ state: inout ClubState
  ) -> Commands {
    state.photos.viewer?.motion.rest()
    state.photos.film?.isRunning = false
    state.talk = TalkView(
      thing, place: place, remark: remark, members: state.members, isReader: state.frame.isReader)
    return outer([TalkView.load(thing)] + (state.frame.isReader ? [] : [.run(.findDraft(thing, chosen: draft))]))
  }

  /// Shows the remarks at words of a note, those that a draft belongs to, or the thread of a hot spot.
  static func showWantedTalk(_ state: inout ClubState) -> Commands {
    if let remark = state.photos.wantedRemark {
      state.photos.wantedRemark = nil
      return state.talked.map { openTalk(on: $0.thing, $0.place, remark: remark, &state) } ?? []
    }
    guard let wanted = state.notes.wantedTalk else { return [] }
    state.notes.wantedTalk = nil
    return openTalk(on: wanted.thing, wanted.place, draft: wanted.draft, &state)
  }

  /// Reads the remarks that are open again when others have said something there.
  static func rereadTalk(_ action: ClubAction, _ state: ClubState) -> Commands {
    guard let thing = state.talk?.thing else { return [] }
    let new: ListedRemarks?
    let known: ListedRemarks?
    switch action {
    case .notes(.files(.remarks(let remarks, _))): (new, known) = (remarks[thing], state.notes.files.remarks[thing])
    case .photos(.files(.remarks(let remarks, _))): (new, known) = (remarks[thing], state.photos.files.remarks[thing])
    default: return []
    }
    return new == known ? [] : outer([TalkView.load(thing)])
  }

  private static func outer(_ commands: TalkView.Commands) -> Commands {
    commands.map { $0.map(ClubEffect.talk, ClubPosting.talk, ClubAction.talk) }
  }

  static func talk(_ action: TalkAction, _ state: inout ClubState) -> Commands {
    guard var talk = state.talk else {
      // The view was closed while a remark was sent. A refused one is a draft.
      switch action {
      case .failed(.say(_, _, let thing), let error):
        state.frame.complain("The remark on \"\(thing)\" was not added. \(state.frame.sentence(error))")
      case .editBegan(let copy, _): return outer([.run(.dropCopy(copy))])
      case .edited(let copy, .some): state.frame.complain("What the editor saved is kept in \"\(copy.file)\".")
      default: break
      }
      return []
    }
    defer { if state.talk != nil { state.talk = talk } }
    switch action {
    case .input(let input):
      var commands: TalkView.Commands = []
      let closes = talk.run(input, &state.frame, &commands)
      return outer(commands) + (closes ? closeTalk(&state) : [])
    case .foundDraft(let thing, let aim, let text, let draft):
      if thing == talk.thing { return outer(talk.take(aim, text, draft)) }
    case .loaded(let thing, let remarks, let member):
      if thing == talk.thing { talk.take(remarks, member: member, isReader: state.frame.isReader) }
      // A store may not report changes.
      state.notes.files.count(remarks, on: thing)
      state.photos.files.count(remarks, on: thing)
      return ClubState.outer(NotesScreen.list(state.notes.files.lookAtRemarks(on: thing)))
        + ClubState.outer(PhotosScreen.list(state.photos.files.lookAtRemarks(on: thing)))
    case .said(let thing, let item, let waiting):
      guard thing == talk.thing else { return [] }
      talk.said(item)
      if let waiting { state.frame.complain("The remark waits on this machine. \(state.frame.sentence(waiting))") }
      return outer([TalkView.load(thing)])
    case .editBegan(let copy, let program):
      return outer([
        talk.isEdited(copy) ? .handOver(program, then: { .editorEnded(copy, $0) }) : .run(.dropCopy(copy))
      ])
    case .editorEnded(let copy, let end):
      if let complaint = end.complaint(fate: "What it saved is in the field.", otherwise: "type the remark here") {
        state.frame.complain(complaint)
      }
      return outer([.run(.endEdit(copy))])
    case .edited(let copy, let text): return outer(talk.take(text, of: copy))
    case .failed(let effect, let error):
      // Another view has taken the place of the one that asked.
      if case .load = effect, error.kind == .cancelled { return [] }
      talk.fail(effect, state.frame.sentence(error))
      if case .load = effect {} else { state.frame.complain(error) }
    }
    return []
  }

  /// Remarks in a direction are hot spots of the panorama.
  private static func closeTalk(_ state: inout ClubState) -> Commands {
    let thing = state.talk?.thing
    state.talk = nil
    if state.tab == .notes, let thing, state.notes.reader?.note.entry.path == thing {
      return [.cancel(key: "talk.load")] + ClubState.outer(NotesScreen.rereadTop(state.notes))
    }
    guard let viewer = state.photos.viewer, viewer.path == thing else { return [.cancel(key: "talk.load")] }
    return [.cancel(key: "talk.load"), .run(.photos(.tour(viewer.path)), key: "photos.tour")]
  }
}
