import Accounts
import Backends
import Basics
import FileStores

/// The service's last word of an account of a club, kept on this machine: its name, and if it reads the club and changes
/// nothing. Only members of a `byteclub serve` can be readers.
struct KeptAccount: Sendable {
  private struct Word {
    var name: String?
    let isReader: Bool
    let time: Int64
  }

  private static let file = "reader"
  /// An older word is asked for anew; it holds while the server does not answer.
  private static let freshSeconds: Int64 = 24 * 3600
  private static let kinds = (reader: "reader", writer: "writer")
  private static let mostNameBytes = 1024

  private let files: StateFolder

  /// - Parameter owner: another account has a word of its own.
  init(_ setup: ClubSetup, _ owner: ClubOwner) { self.init(state: setup.paths.state, key: owner.key) }

  /// In the folder of earlier versions, whose files had the first line alone.
  init(state: String, key: String) { files = StateFolder(state + "/readers", club: key) }

  /// nil if none was kept, or if the file has anything but a name. Blocks.
  var name: String? { kept?.name }

  /// False before the server has said it. Blocks.
  var isReader: Bool { kept?.isReader ?? false }

  /// Blocks.
  func isFresh(at now: Int64) -> Bool { kept.map { Self.isFresh($0, at: now) } ?? false }

  /// A name that cannot be shown leaves the one before. Blocks.
  func keep(_ name: String, isReader: Bool, at now: Int64) throws(StoreError) {
    let kept = kept
    let name = Self.isName(name) ? name : kept?.name
    if let kept, kept.name == name, kept.isReader == isReader, Self.isFresh(kept, at: now) { return }
    let line = "\(isReader ? Self.kinds.reader : Self.kinds.writer) \(now)"
    try files.write(name.map { "\(line)\n\($0)" } ?? line, as: Self.file)
  }

  private var kept: Word? {
    let lines = (files.text(Self.file) ?? "").split(separator: "\n", maxSplits: 1)
    let parts = lines.first?.split(separator: " ") ?? []
    guard parts.count == 2, let time = Int64(parts[1]) else { return nil }
    let name = lines.count == 2 && Self.isName(lines[1]) ? String(lines[1]) : nil
    return Word(name: name, isReader: parts[0] == Self.kinds.reader, time: time)
  }

  private static func isFresh(_ word: Word, at now: Int64) -> Bool {
    word.time <= now && word.time > now - freshSeconds
  }

  private static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.count <= mostNameBytes
      && !text.unicodeScalars.contains { $0.isHostile || $0 == "\u{FFFD}" }
  }
}

extension KeptAccount {
  static func keep(_ profile: AccountProfile, _ setup: ClubSetup) async {
    await keep(profile.name, isReader: profile.isReader, ofAccount: profile.accountID, setup)
  }

  /// Keeps the answer to an invitation.
  static func keep(_ joined: Joined, _ setup: ClubSetup) async {
    await keep(joined.member, isReader: joined.isReader, ofAccount: joined.accountID, setup)
  }

  /// The service can be asked again if that fails.
  private static func keep(_ name: String, isReader: Bool, ofAccount account: String, _ setup: ClubSetup) async {
    let owner = ClubOwner(place: setup.choice.place, word: ClubOwner.word(ofAccount: account))
    await setup.pool.run(
      reporting: { (error: StoreError) in setup.log.error("the service's word of the account was not kept", error) }
    ) { () throws(StoreError) in
      try KeptAccount(setup, owner).keep(name, isReader: isReader, at: ClubAccount.now)
    }
  }

  /// Asks the server if the account only reads, and keeps its word.
  /// - Returns: nil if it does not answer.
  static func ask(_ setup: ClubSetup) async -> Bool? {
    do throws(StoreError) {
      let profile = try await ClubAccount(setup).tokens.profile()
      await keep(profile, setup)
      return profile.isReader
    } catch {
      setup.log.error("the server has not said if the member is a reader", error)
      return nil
    }
  }

  /// True if the member is known to change nothing. Only a reader's word is asked for anew, if it is not fresh.
  static func forbidsChanges(_ setup: ClubSetup, _ owner: ClubOwner) async -> Bool {
    guard case .tokens = setup.signIn else { return false }
    let account = KeptAccount(setup, owner)
    let (isReader, isFresh) = await setup.pool.run { (account.isReader, account.isFresh(at: ClubAccount.now)) }
    guard isReader, !isFresh else { return isReader }
    return await ask(setup) ?? true
  }
}
