public import TextUI

/// Performs what either tab asks for.
public final class ClubPerformer: EffectPerformer {
  private let notes: NotesPerformer
  private let photos: PhotosPerformer
  private let transfers: TransfersPerformer

  /// Over the tabs' own performers, and the transfers'.
  public init(notes: NotesPerformer, photos: PhotosPerformer, transfers: TransfersPerformer) {
    self.notes = notes
    self.photos = photos
    self.transfers = transfers
  }

  /// Hands on to the tab.
  public func post(_ effect: ClubEffect) {
    switch effect {
    case .notes(let effect): notes.post(effect)
    case .photos(let effect): photos.post(effect)
    case .transfers(let effect): transfers.post(effect)
    }
  }

  /// Hands on to the tab.
  @concurrent
  public func perform(_ effect: ClubEffect, _ sender: Sender<ClubAction>) async {
    switch effect {
    case .notes(let effect): await notes.perform(effect, sender.map(ClubAction.notes))
    case .photos(let effect): await photos.perform(effect, sender.map(ClubAction.photos))
    case .transfers(let effect): await transfers.perform(effect, sender.map(ClubAction.transfers))
    }
  }
}
