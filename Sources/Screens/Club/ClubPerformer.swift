public import ClubServices
internal import FileStores
public import TextUI

/// Performs what either tab asks for.
public final class ClubPerformer: EffectPerformer {
  private let notes: NotesPerformer
  private let photos: PhotosPerformer
  private let transfers: TransfersPerformer
  private let connection: StoreConnection?

  /// Over the tabs' own performers, and the transfers'. `connection` tells whether the club's store answers; nil for a
  /// club that needs no network.
  public init(
    notes: NotesPerformer, photos: PhotosPerformer, transfers: TransfersPerformer, connection: StoreConnection? = nil
  ) {
    self.connection = connection
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
    case .followConnection, .endPauses: preconditionFailure("\(effect) is performed, not posted")
    }
  }

  /// Hands on to the tab.
  @concurrent
  public func perform(_ effect: ClubEffect, _ sender: Sender<ClubAction>) async {
    switch effect {
    case .notes(let effect): await notes.perform(effect, sender.map(ClubAction.notes))
    case .photos(let effect): await photos.perform(effect, sender.map(ClubAction.photos))
    case .transfers(let effect): await transfers.perform(effect, sender.map(ClubAction.transfers))
    case .endPauses: connection?.pauses.end()
    case .followConnection:
      guard let connection else { return }
      for await state in connection.states() { sender.send(.connection(state)) }
    }
  }
}
