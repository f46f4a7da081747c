import Basics
import Database
public import FileStores

/// Changes of names that belong to nobody yet, because no account was known when they were made. Every account of the club
/// sees them; only the member sends or drops them.
extension NotesService {
  /// Oldest first. Blocks. Empty if no account is known: the copy then has them.
  func strayChanges() throws(StoreError) -> [ChangeRecord] {
    guard let strays = club.strays, !club.isNobodys, outbox.exists else { return [] }
    return try outbox.changes(club: strays)
  }

  /// Gives a change to this account, with the earlier ones of nobody on the same paths, and sends all changes of names.
  /// Without an answer of the store they wait as the member's own.
  /// - Returns: the reasons of those that can never be sent.
  /// - Throws: `notFound` if it no longer waits; `notSignedIn` if no account is known; errors of the outbox.
  public func sendStray(_ text: WaitingText) async throws(StoreError) -> [StoreError] {
    guard case .change(let id) = text.id, let strays = club.strays, !club.isNobodys, let copy = club.copy else {
      throw StoreError(
        .notSignedIn, "\(text.changeWords) belongs to nobody yet, and no account of this club is known.",
        remedy: "Sign in, then send it.", path: text.path)
    }
    try await pool.run { [outbox, club] () throws(StoreError) in
      let all = try outbox.changes(club: strays)
      guard let change = all.first(where: { $0.id == id }), !change.isDamaged else {
        throw StoreError(.notFound, "\(text.changeWords) no longer waits.", path: text.path)
      }
      try outbox.give(
        changes: SyncPlanner.connected(to: change, among: all).map(\.id), from: strays, to: club.key)
    }
    await copy.load()
    await copy.reloadWaiting()
    return await sendNames()
  }

  /// Drops a change of nobody; later ones of the same file are then about the file as it is.
  func dropStray(_ id: WaitingChange.ID) async throws(StoreError) {
    guard let strays = club.strays, !club.isNobodys else { return try await club.copy?.drop(id) ?? () }
    try await pool.run { [outbox] () throws(StoreError) in
      _ = try outbox.decideChanges(club: strays) { waiting -> (plan: ChangesPlan, value: Void) in
        guard let change = waiting.first(where: { $0.id == id }) else { return (ChangesPlan(), ()) }
        return (SyncPlanner.without(change, isGone: change.isTried, among: waiting).changes, ())
      }
    }
  }
}

extension WaitingText {
  /// True for a change of a name that belongs to no account.
  public var isNobodys: Bool { isName && kind == .draft }

  static let nobodysMark = "; belongs to nobody yet"

  /// `"b.md" renamed from "a.md"`, for messages.
  public var changeWords: String {
    let words = String(decoding: beginning, as: UTF8.self)
    return "\"\(path?.description ?? title)\" "
      + (isNobodys ? String(words.dropLast(WaitingText.nobodysMark.count)) : words)
  }

  /// Words about changes of names that belong to nobody; nil for none.
  public static func nobodysWords(_ texts: [WaitingText]) -> String? {
    switch texts.count(where: \.isNobodys) {
    case 0: nil
    case 1: "one change of a name belongs to nobody yet"
    case let count: "\(count) changes of names belong to nobody yet"
    }
  }
}
