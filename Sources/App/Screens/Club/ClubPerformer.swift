public import Basics
public import ClubServices
internal import FileStores
public import TextUI

public final class ClubPerformer: EffectPerformer {
  private let notes: NotesPerformer
  private let photos: PhotosPerformer
  private let transfers: TransfersPerformer
  private let added: [AddedTab]
  private let connection: StoreConnection?
  private let preview: PreviewPerformer
  private let talk: TalkPerformer
  private let wall: WallPerformer
  private let presence: PresencePerformer?
  private let isReader: @Sendable () async -> Bool?
  private let today: @Sendable () -> CivilDate

  /// `connection` is nil for a club without a network; `added` are the tabs of `ClubScreen.start`. `isReader` asks the
  /// server, and returns nil without an answer. `today` is the date in the member's time zone.
  public init(
    notes: NotesPerformer, photos: PhotosPerformer, transfers: TransfersPerformer, added: [AddedTab] = [],
    connection: StoreConnection? = nil, presence: PresencePerformer? = nil,
    isReader: @escaping @Sendable () async -> Bool? = { nil },
    today: @escaping @Sendable () -> CivilDate
  ) {
    (self.isReader, self.today, self.presence) = (isReader, today, presence)
    preview = PreviewPerformer(
      notes: notes.service, photos: photos.service, connection: connection, clock: notes.clock,
      isCopied: notes.service.hasCopied)
    talk = TalkPerformer(notes.service, notes.journal, editor: notes.editor)
    wall = WallPerformer(photos: photos, notes: notes.service)
    self.added = added
    self.connection = connection
    self.notes = notes
    self.photos = photos
    self.transfers = transfers
  }

  public func post(_ posting: ClubPosting) {
    switch posting {
    case .notes(let posting): notes.post(posting)
    case .talk(let posting): talk.post(posting)
    case .transfers(let posting): transfers.post(posting)
    case .look(let sight): presence?.service.look(at: sight)
    case .added(let place, let posting): added[place].post(posting)
    }
  }

  @concurrent
  public func perform(_ effect: ClubEffect, _ sender: Sender<ClubAction>) async {
    switch effect {
    case .notes(.picture(let effect)):
      await photos.perform(effect, sender.map { ClubAction.notes(.picture($0)) })
    case .notes(let effect): await notes.perform(effect, sender.map(ClubAction.notes))
    case .photos(let effect):
      await photos.perform(effect, sender.map(ClubAction.photos))
      if case .files(.list) = effect { await remember(sender) }
    case .transfers(let effect): await transfers.perform(effect, sender.map(ClubAction.transfers))
    case .talk(let effect): await talk.perform(effect, sender.map(ClubAction.talk))
    case .wall(let effect): await wall.perform(effect, sender.map(ClubAction.wall))
    case .presence(let effect): await presence?.perform(effect, sender.map(ClubAction.presence))
    case .readNews:
      do throws(StoreError) {
        let all = try await notes.service.happenings { sender.send(.news(.loaded($0))) }
        sender.send(.news(.loaded(all)))
        await remember(sender)
      } catch {
        sender.send(.news(.failed(error)))
      }
    case .added(let place, let effect): await added[place].perform(effect, place, sender)
    case .preview(let request): await preview.perform(request, sender.map(ClubAction.preview))
    case .endPauses: connection?.pauses.end()
    case .askReader: if let isReader = await isReader() { sender.send(.readerKnown(isReader)) }
    case .followConnection:
      guard let connection else { return }
      for await state in connection.states() { sender.send(.connection(state)) }
    }
  }

  /// After a listing of the photos; the day may have changed since the last one.
  private func remember(_ sender: Sender<ClubAction>) async {
    let memory = await photos.service.onThisDay(today())
    if !Task.isCancelled { sender.send(.news(.remembered(memory))) }
  }
}
