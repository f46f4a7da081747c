public import ClubServices
public import FileStores
internal import Synchronization
public import TextUI

public enum TalkAction: FailableAction {
  case input(MemberInput)
  /// `member` is the name that this member's remarks get.
  case loaded(StorePath, Talk, member: String = "")
  /// An earlier run, or an earlier look, has left the text of a remark that was not sent.
  case foundDraft(StorePath, TalkItem.Aim, String, Draft.ID)
  /// `waiting` is the reason why it is not in the club yet.
  case said(StorePath, TalkItem, waiting: StoreError?)
  case editBegan(RemarkCopy, ExternalProgram)
  case editorEnded(RemarkCopy, ExternalProgram.End)
  /// nil if the editor left the text as it was.
  case edited(RemarkCopy, String?)
  case failed(TalkEffect, StoreError)
}

public enum TalkEffect: Sendable {
  /// Read the remarks, and again with the authors of their lines, where the store keeps versions.
  case load(StorePath)
  /// The draft that the member chose, else the newest one.
  case findDraft(StorePath, chosen: Draft.ID?)
  case say(String, TalkItem.Aim, StorePath)
  /// The text is not wanted any more; it stays for a week.
  case dropDraft(TalkTyping)
  /// Make a copy of the field's text for the member's own editor.
  case beginEdit([UInt8], TalkItem.Aim, StorePath)
  case endEdit(RemarkCopy)
  /// The copy's text is in the field, and so in the draft.
  case dropCopy(RemarkCopy)
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
  /// The text of a draft that was found is in the field: edits go into it from now on.
  case takeDraft(TalkTyping, Draft.ID)
  /// The text is about another place now.
  case moveDraft(TalkTyping, TalkItem.Aim)
}

final class TalkPerformer: AnsweringPerformer {
  typealias Effect = TalkEffect
  typealias Action = TalkAction

  private let notes: NotesService
  private let journal: DraftJournal
  private let editor: @Sendable (String) -> ExternalProgram
  /// The drafts of the texts in the fields, and those that are being sent.
  private struct Drafts {
    var typed: [TalkTyping: Draft.ID] = [:]
    var sending: Set<Draft.ID> = []
  }

  private let drafts = Mutex(Drafts())

  /// `editor` returns the program that edits a file.
  init(
    _ notes: NotesService, _ journal: DraftJournal, editor: @escaping @Sendable (String) -> ExternalProgram
  ) {
    (self.notes, self.journal, self.editor) = (notes, journal, editor)
  }

  func post(_ posting: TalkPosting) {
    switch posting {
    case .beginDraft(let typing, let aim, let text):
      let draft = journal.begin(aim, on: typing.thing, text: text)
      drafts.withLock { $0.typed[typing] = draft }
    case .takeDraft(let typing, let draft): drafts.withLock { $0.typed[typing] = draft }
    case .recordEdits(let typing, let edits): if let draft = draft(typing) { journal.record(edits, in: draft) }
    case .moveDraft(let typing, let aim): if let draft = draft(typing) { journal.retitle(draft, aim) }
    }
  }

  private func draft(_ typing: TalkTyping) -> Draft.ID? { drafts.withLock { $0.typed[typing] } }

  func answer(to effect: TalkEffect, _ sender: Sender<TalkAction>) async throws(StoreError) -> TalkAction? {
    switch effect {
    case .load(let thing):
      let (talk, member) = (try await notes.talk(about: thing), await notes.memberName())
      sender.send(.loaded(thing, talk, member: member))
      guard !talk.remarks.isEmpty, let checked = try await notes.checkedTalk(about: thing) else { return nil }
      return .loaded(thing, checked, member: member)
    case .findDraft(let thing, let chosen):
      guard let found = try await notes.typedRemark(on: thing, chosen: chosen) else { return nil }
      let isFirst = drafts.withLock { drafts in
        let typed = drafts.typed[TalkTyping(thing, found.aim)]
        // A chosen one takes the place of the text that was typed last; that stays a draft.
        return (chosen != nil || typed == nil || typed == found.draft) && !drafts.sending.contains(found.draft)
      }
      return isFirst ? .foundDraft(thing, found.aim, found.text, found.draft) : nil
    case .say(let text, let aim, let thing):
      return try await say(text, aim, about: thing, sender)
    case .dropDraft(let typing):
      guard let draft = drafts.withLock({ $0.typed.removeValue(forKey: typing) }) else { return nil }
      try await journal.drop(draft)
      return nil
    case .beginEdit(let text, let aim, let thing):
      let copy = try await notes.beginEdit(of: text, aim, about: thing)
      return .editBegan(copy, editor(copy.file))
    case .endEdit(let copy): return .edited(copy, try await notes.endEdit(copy))
    case .dropCopy(let copy):
      await notes.drop(copy)
      return nil
    }
  }

  /// While a remark is sent, its draft belongs to no field: another text may be typed about the same thing.
  private func say(
    _ text: String, _ aim: TalkItem.Aim, about thing: StorePath, _ sender: Sender<TalkAction>
  ) async throws(StoreError) -> TalkAction {
    let typing = TalkTyping(thing, aim)
    let draft = drafts.withLock { drafts -> Draft.ID? in
      guard !text.isEmpty, let draft = drafts.typed.removeValue(forKey: typing) else { return nil }
      drafts.sending.insert(draft)
      return draft
    }
    defer { if let draft { _ = drafts.withLock { $0.sending.remove(draft) } } }
    do throws(StoreError) {
      let (item, outcome) = try await notes.say(text, aim, about: thing, draft: draft)
      if let draft { await discard(draft, typing, sender) }
      if case .kept(_, let error) = outcome { return .said(thing, item, waiting: error) }
      return .said(thing, item, waiting: nil)
    } catch {
      if let draft { drafts.withLock { if $0.typed[typing] == nil { $0.typed[typing] = draft } } }
      throw error
    }
  }

  /// The remark has the text. A draft that stays by mistake is offered again, and sent again it adds nothing.
  private func discard(_ draft: Draft.ID, _ typing: TalkTyping, _ sender: Sender<TalkAction>) async {
    do throws(StoreError) {
      try await journal.discard(draft)
    } catch {
      sender.send(.failed(.dropDraft(typing), error))
    }
  }
}
