public import ClubServices
public import FileStores
internal import TextUI

public enum TalkAction: FailableAction {
  case input(MemberInput)
  case loaded(StorePath, Talk)
  /// `waiting` is the reason why it is not in the club yet.
  case said(StorePath, TalkItem, waiting: StoreError?)
  case failed(TalkEffect, StoreError)
}

public enum TalkEffect: Sendable {
  case load(StorePath)
  case say(String, TalkItem.Aim, StorePath)
}

struct TalkPerformer: AnsweringPerformer {
  typealias Effect = TalkEffect
  typealias Action = TalkAction

  let notes: NotesService

  func answer(to effect: TalkEffect, _ sender: Sender<TalkAction>) async throws(StoreError) -> TalkAction? {
    switch effect {
    case .load(let thing): return .loaded(thing, try await notes.talk(about: thing))
    case .say(let text, let aim, let thing):
      var random = SystemRandomNumberGenerator()
      let (item, outcome) = try await notes.say(text, aim, about: thing) { TalkItem.newID(using: &random) }
      if case .kept(_, let error) = outcome { return .said(thing, item, waiting: error) }
      return .said(thing, item, waiting: nil)
    }
  }
}
