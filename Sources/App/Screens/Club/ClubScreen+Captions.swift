internal import ClubServices
internal import FileStores
internal import TextUI

/// Photos lead to notes. A caption is a note, and so it is written in the notes' editor: drafts, unsent texts and
/// conflicts work as for notes. A hot spot may lead to a note, which is read.
extension ClubScreen {
  static func followCaption(_ action: ClubAction, _ state: inout ClubState) -> Commands {
    begin(&state) + showLinkedNote(&state) + showSaved(action, &state) + returnToPhoto(&state)
  }

  /// The changed name of a photo may wait to be sent; the notes count what waits.
  static func countNames(_ action: ClubAction, _ state: ClubState) -> Commands {
    guard state.frame.connection != nil, case .photos(.files(let files)) = action else { return [] }
    switch files {
    case .renamed, .trashed, .undone: return [.run(.notes(.lookWaiting), key: "notes.waiting")]
    default: return []
    }
  }

  /// Shows the note to which a hot spot leads.
  private static func showLinkedNote(_ state: inout ClubState) -> Commands {
    guard let link = state.photos.wantedNote else { return [] }
    state.photos.wantedNote = nil
    let (below, returnsToNote) = (state.notes.views.count, state.returnsToNote)
    let commands = show(.notes, &state) + notes(.linkAsked(link), &state)
    (state.viewsBelowNote, state.returnsToNote) = (below, returnsToNote)
    return commands
  }

  /// Opens the editor over the notes.
  private static func begin(_ state: inout ClubState) -> Commands {
    guard let photo = state.photos.wantedCaption else { return [] }
    state.photos.wantedCaption = nil
    do throws(StoreError) {
      let path = try Caption.path(of: photo)
      let (below, returnsToNote) = (state.notes.views.count, state.returnsToNote)
      let commands = show(.notes, &state) + notes(.writingAsked(path), &state)
      (state.viewsBelowNote, state.returnsToNote) = (below, returnsToNote)
      return commands
    } catch {
      state.frame.complain("\"\(photo)\" cannot have a caption. \(error)")
      return []
    }
  }

  /// Shows a saved caption in the preview and in the viewer.
  private static func showSaved(_ action: ClubAction, _ state: inout ClubState) -> Commands {
    guard case .notes(.saved(let path?, let outcome, _)) = action, let photo = Caption.photo(of: path) else {
      return []
    }
    switch outcome {
    case .saved, .merged, .kept: break
    case .conflict, .deleted: return []
    }
    state.preview.forget(photo)
    return state.photos.viewer?.path == photo ? [.run(.photos(.caption(photo)), key: "photos.caption")] : []
  }

  private static func returnToPhoto(_ state: inout ClubState) -> Commands {
    guard let below = state.viewsBelowNote else { return [] }
    guard state.tab == .notes else {
      state.viewsBelowNote = nil
      return []
    }
    // The question about a note that is missing comes first.
    guard state.notes.views.count <= below, !state.notes.isAsking else { return [] }
    let returnsToNote = state.returnsToNote
    state.viewsBelowNote = nil
    let commands = show(.photos, &state)
    state.returnsToNote = returnsToNote
    return commands
  }
}
