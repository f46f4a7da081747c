internal import ClubServices
public import FileStores
internal import Imaging
internal import TextUI

/// The choice and the ability to see the other members.
public enum PresenceChoice: Sendable {
  /// The club's store has none.
  case absent
  case off
  /// `isKnown`: this member has been told that others see them, too.
  case on(isKnown: Bool)
}

public enum PresenceAction: Sendable {
  case seen([PresentMember])
  /// The store has none after all, or nothing comes through.
  case ended(StoreError)
  /// A member has pointed some seconds ago.
  case faded(String)
  /// The notice of before has been there for some seconds.
  case rested
}

public enum PresenceEffect: Sendable {
  /// Report the others until cancelled.
  case follow
  /// Remember that this member knows that others see them.
  case keepKnown
  /// After two seconds, report that the direction at which a member pointed fades.
  case fade(String)
  /// After five seconds, report that the notice has been read.
  case rest
}

extension ClubScreen {
  static func presence(_ action: PresenceAction, _ state: inout ClubState) -> Commands {
    switch action {
    case .seen(let members):
      let pointing = state.frame.present.take(members)
      let marks = state.frame.present.marks
      (state.notes.files.here, state.photos.files.here) = (marks, marks)
      state.photos.gazed = state.frame.present.gazed
      return pointing.map { .run(.presence(.fade($0)), key: "presence.fade.\($0)") }
        + tell(&state) + photos(.othersMoved, &state)
    case .ended(let error):
      state.presence = .absent
      let commands = presence(.seen([]), &state)
      // A store without it says nothing; one whose answers do not come through can be mended.
      if !error.remedy.isEmpty, state.frame.notice?.isError != true { state.frame.show("\(error)") }
      return commands
    case .faded(let name): state.frame.present.points[name] = nil
    case .rested: return tell(&state)
    }
    return []
  }

  /// The first time that somebody is seen, once the member has had the time to read the notice of before.
  private static func tell(_ state: inout ClubState) -> Commands {
    guard case .on(isKnown: false) = state.presence, let first = state.frame.present.members.first else { return [] }
    guard state.frame.isFreeForNews else { return [.run(.presence(.rest), key: "presence.rest")] }
    state.presence = .on(isKnown: true)
    let words = " is here. Others see what you look at, too; ui.presence: off ends it."
    let name = ShortName.of(first.name, columns: max(8, state.frame.size.width - 2 - words.utf8.count))
    state.frame.show(name + words)
    return [.run(.presence(.keepKnown))]
  }

  /// Says who is here.
  static func sayWho(_ state: inout ClubState) {
    switch state.presence {
    case .absent: state.frame.say("Only clubs of byteclub serve show who is here.")
    case .off: state.frame.say("The setting ui.presence is off, so nobody sees you, and you see nobody.")
    case .on:
      let photos = state.photos.files.table
      state.frame.show(state.frame.present.sentences { photos?.contains($0) == true })
    }
  }

  /// After each action: the others see what is before this member's eyes.
  static func showSight(_ state: inout ClubState) -> Commands {
    guard case .on = state.presence, case let sight = state.sight, sight != state.shownSight,
      !(state.shownSight?.gaze != nil && state.isOnTheWay(to: sight))
    else { return [] }
    state.shownSight = sight
    return [.post(.look(sight))]
  }
}

extension ClubState {
  var sight: Sight {
    if let talk { return Sight(talk.thing) }
    guard !hasOverlay, !transfers.isOpen else { return Sight() }
    switch (tab, notes.views.last) {
    case (.notes, let editor as NoteEditor):
      guard let path = editor.path else { return Sight() }
      return Sight(path, edits: true, line: editor.base.map { Sight.Line(line(of: editor), of: $0) })
    case (.notes, let reader as NoteReader): return Sight(reader.note.entry.path, line: line(of: reader))
    case (.photos, _):
      guard let viewer = photos.viewer else { return Sight() }
      guard viewer.motion.following == nil else { return Sight(viewer.path, points: viewer.points, follows: true) }
      let gaze = viewer.look.flatMap {
        Gaze(yawDegrees: $0.yawDegrees, pitchDegrees: $0.pitchDegrees, widthDegrees: $0.fieldOfViewDegrees)
      }
      return Sight(viewer.path, gaze: gaze, points: viewer.points)
    default: return Sight()
    }
  }

  /// From one panorama into another, which is shown with its gaze once it has come: followers come along.
  fileprivate func isOnTheWay(to sight: Sight) -> Bool {
    guard let viewer = photos.viewer, sight == Sight(viewer.path, points: viewer.points) else { return false }
    return viewer.flat == nil && viewer.problem == nil
  }

  /// Without the column, which would look at a long line with each key.
  private func line(of editor: NoteEditor) -> Int {
    editor.text.text.buffer.line(at: editor.text.text.cursor) + 1
  }

  /// Counted only while somebody sees it: a long note has many.
  private func line(of reader: NoteReader) -> Sight.Line? {
    guard !frame.present.isEmpty, let revision = reader.note.entry.revision else { return nil }
    return Sight.Line(reader.note.bytes.prefix(reader.topOffset).count { $0 == 0x0A } + 1, of: revision)
  }
}
