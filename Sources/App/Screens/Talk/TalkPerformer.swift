public import ClubServices
public import FileStores
internal import Synchronization
internal import TextUI

public enum TalkAction: FailableAction {
  case input(MemberInput)
  /// `member` is the name that this member's remarks get.
  case loaded(StorePath, Talk, member: String = "")
  /// An earlier run, or an earlier look, has left the text of a remark that was not sent.
  case foundDraft(StorePath, TalkItem.Aim, String)
  /// `waiting` is the reason why it is not in the club yet.
  case said(StorePath, TalkItem, waiting: StoreError?)
  case failed(TalkEffect, StoreError)
}

public enum TalkEffect: Sendable {
  /// Read the remarks, and again with the authors of their lines, where the store keeps versions.
  case load(StorePath)
  case findDraft(StorePath)
  case say(String, TalkItem.Aim, StorePath)
  /// The text is not wanted any more; it stays for a week.
  case dropDraft(TalkTyping)
}

/// A text that is typed about a thing: one new remark or answer, and one correction at a time.
public struct TalkTyping: Sendable, Hashable {
  let thing: StorePath
  let isCorrection: Bool

  init(_ thing: StorePath, _ aim: TalkItem.Aim) {
    self.thing = thing
    isCorrection = if case .correction = aim { true } else { false }
  }
}

public enum TalkPosting: Sendable {
  case beginDraft(TalkTyping, TalkItem.Aim, [UInt8])
  case recordEdits(TalkTyping, [DraftEdit])
  /// The text is about another place now.
  case moveDraft(TalkTyping, TalkItem.Aim)
}

final class TalkPerformer: AnsweringPerformer {
  typealias Effect = TalkEffect
  typealias Action = TalkAction

  private let notes: NotesService
  private let journal: DraftJournal
  private let typed = Mutex<[TalkTyping: Draft.ID]>([:])

  init(_ notes: NotesService, _ journal: DraftJournal) { (self.notes, self.journal) = (notes, journal) }

  func post(_ posting: TalkPosting) {
    switch posting {
    case .beginDraft(let typing, let aim, let text):
      let draft = journal.begin(aim, on: typing.thing, text: text)
      typed.withLock { $0[typing] = draft }
    case .recordEdits(let typing, let edits): if let draft = draft(typing) { journal.record(edits, in: draft) }
    case .moveDraft(let typing, let aim): if let draft = draft(typing) { journal.retitle(draft, aim) }
    }
  }

  private func draft(_ typing: TalkTyping) -> Draft.ID? { typed.withLock { $0[typing] } }

  func answer(to effect: TalkEffect, _ sender: Sender<TalkAction>) async throws(StoreError) -> TalkAction? {
    switch effect {
    case .load(let thing):
      let (talk, member) = (try await notes.talk(about: thing), await notes.memberName())
      sender.send(.loaded(thing, talk, member: member))
      guard !talk.remarks.isEmpty, let checked = try await notes.checkedTalk(about: thing) else { return nil }
      return .loaded(thing, checked, member: member)
    case .findDraft(let thing):
      guard let found = try await notes.typedRemark(on: thing) else { return nil }
      let isFirst = typed.withLock { typed in
        let typing = TalkTyping(thing, found.aim)
        guard typed[typing] == nil || typed[typing] == found.draft else { return false }
        typed[typing] = found.draft
        return true
      }
      return isFirst ? .foundDraft(thing, found.aim, found.text) : nil
    case .say(let text, let aim, let thing):
      var random = SystemRandomNumberGenerator()
      let (item, outcome) = try await notes.say(text, aim, about: thing) { TalkItem.newID(using: &random) }
      if !text.isEmpty { await discard(TalkTyping(thing, aim), sender) }
      if case .kept(_, let error) = outcome { return .said(thing, item, waiting: error) }
      return .said(thing, item, waiting: nil)
    case .dropDraft(let typing):
      guard let draft = typed.withLock({ $0.removeValue(forKey: typing) }) else { return nil }
      try await journal.drop(draft)
      return nil
    }
  }

  /// The remark has the text. A draft that stays by mistake is offered again, and is no reason to send it twice.
  private func discard(_ typing: TalkTyping, _ sender: Sender<TalkAction>) async {
    guard let draft = typed.withLock({ $0.removeValue(forKey: typing) }) else { return }
    do throws(StoreError) {
      try await journal.discard(draft)
    } catch {
      sender.send(.failed(.dropDraft(typing), error))
    }
  }
}
