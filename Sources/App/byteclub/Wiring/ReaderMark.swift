import Accounts
import Backends
import Basics
import FileStores

/// The server's word whether this member reads the club and changes nothing, kept on this machine. Only members of a
/// `byteclub serve` can be readers.
struct ReaderMark: Sendable {
  private static let name = "reader"
  /// Older marks are asked for anew; they hold while the server does not answer.
  private static let freshSeconds: Int64 = 24 * 3600
  private static let words = (reader: "reader", writer: "writer")

  private let files: StateFolder

  /// - Parameter owner: another account has a mark of its own.
  init(_ setup: ClubSetup, _ owner: ClubOwner) { self.init(state: setup.paths.state, key: owner.key) }

  init(state: String, key: String) { files = StateFolder(state + "/readers", club: key) }

  /// False before the server has said it. Blocks.
  var isReader: Bool { kept?.isReader ?? false }

  /// Blocks.
  func isFresh(at now: Int64) -> Bool {
    kept.map { $0.time <= now && $0.time > now - Self.freshSeconds } ?? false
  }

  /// Blocks.
  func keep(_ isReader: Bool, at now: Int64) throws(StoreError) {
    try files.write("\(isReader ? Self.words.reader : Self.words.writer) \(now)", as: Self.name)
  }

  private var kept: (isReader: Bool, time: Int64)? {
    let parts = (files.text(Self.name) ?? "").split(separator: " ")
    guard parts.count == 2, let time = Int64(parts[1]) else { return nil }
    return (parts[0] == Self.words.reader, time)
  }
}

extension ReaderMark {
  /// Keeps what an invitation's answer said.
  static func keep(_ joined: Joined, _ setup: ClubSetup) async {
    let owner = ClubOwner(place: setup.choice.place, word: ClubOwner.word(ofAccount: joined.accountID))
    await keep(joined.isReader, setup, owner)
    await KeptName.keep(joined.member, ofAccount: joined.accountID, setup)
  }

  /// Keeps the server's word, which can be asked for again if that fails.
  static func keep(_ isReader: Bool, _ setup: ClubSetup, _ owner: ClubOwner) async {
    await setup.pool.run {
      do throws(StoreError) {
        try ReaderMark(setup, owner).keep(isReader, at: ClubAccount.now)
      } catch {
        setup.log.error("the mark of a reader was not kept", error)
      }
    }
  }

  /// Asks the server, and keeps its word.
  /// - Returns: nil if it does not answer.
  static func ask(_ setup: ClubSetup, _ owner: ClubOwner) async -> Bool? {
    do throws(StoreError) {
      let isReader = try await ClubAccount(setup).tokens.profile().isReader
      await keep(isReader, setup, owner)
      return isReader
    } catch {
      setup.log.error("the server has not said if the member is a reader", error)
      return nil
    }
  }

  /// True if the member is known to change nothing. Only a reader's mark is asked for anew, if it is not fresh.
  static func forbidsChanges(_ setup: ClubSetup, _ owner: ClubOwner) async -> Bool {
    guard case .tokens = setup.signIn else { return false }
    let mark = ReaderMark(setup, owner)
    let (isReader, isFresh) = await setup.pool.run { (mark.isReader, mark.isFresh(at: ClubAccount.now)) }
    guard isReader, !isFresh else { return isReader }
    return await ask(setup, owner) ?? true
  }
}
