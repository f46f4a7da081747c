import Accounts
import Backends
import FileStores

/// A club of the config behind the same kind of server, as far as an invitation concerns it.
struct KnownClub: Sendable {
  let name: String
  let isDropIn: Bool
  let store: StoreDescription
  let place: String
  let account: Account
  let origin: HTTPOrigin
  /// True if its token does not come from a file of byteclub.
  let bringsToken: Bool
  /// The sign-in of this machine; nil if there is none.
  var grant: Grant?

  /// The id of the account that this machine is signed in to.
  var accountID: String? { grant?.accountID }

  /// The member's word for an account beside others.
  var word: String? { store.options["account"] }
  var pin: String? { store.options["pin"] }

  /// nil for a club of another kind, and for one that cannot be opened. Does not touch the disk.
  init?(_ name: String, _ report: ConfigReport, _ kind: any StoreKind, _ paths: Paths) {
    guard report.config.storeKind(of: name) == kind.name,
      let store = try? report.config.store(of: name, kind, paths),
      case .tokens(let signIn)? = try? kind.signIn(to: store),
      let account = try? Account(club: name, signIn, bringsToken: true),
      let origin = HTTPOrigin(account.service.origin), !account.service.isDropbox
    else { return nil }
    (self.name, self.store, self.account, self.origin) = (name, store, account, origin)
    isDropIn = report.dropInClubs.contains(name)
    bringsToken = signIn.command != nil
    place = kind.place(of: store).words
  }
}

/// The change that an invitation makes to the clubs of this machine.
enum JoinPlan: Sendable, Equatable {
  /// `word` tells the account apart from another one at the same server.
  case add(name: String, word: String?)
  /// The drop-in of a club that is there gets the address and the pin of the invitation.
  case replace(name: String, word: String?)
  /// A club of the member's own config, which already has this address and pin.
  case signIn(name: String)
  /// The line has let this machine in before.
  case here(name: String)

  var name: String {
    switch self {
    case .add(let name, _), .replace(let name, _), .signIn(let name), .here(let name): name
    }
  }
}

struct JoinPlanner {
  let known: [KnownClub]
  /// Names of clubs, also of those that cannot be used.
  let taken: Set<String>
  let line: InvitationLine
  let joined: Joined
  /// The file of the config, for messages.
  let config: String
  /// True if the member is asked by the app, where the other answer changes nothing.
  var isInApp = false

  private var own: [KnownClub] { known.filter { !$0.bringsToken } }

  /// A club at another address that the invitation may move, and a question. Only the member can tell: any server can
  /// claim the id of an account, and a host can have several clubs.
  var move: (club: KnownClub, question: String)? {
    guard !own.contains(where: { $0.accountID == joined.accountID && $0.origin == line.origin }) else { return nil }
    let there =
      own.first { $0.accountID == joined.accountID }
      ?? own.first { $0.accountID == nil && $0.origin.host == line.origin.host && $0.origin != line.origin }
    guard let there, let question = question(there, isSamePlace: false) else { return nil }
    let otherwise = isInApp ? JoinPlanner.second : "answer no: it becomes a second club."
    return (there, "If this is not a move of \"\(there.name)\", \(otherwise) \(question)")
  }

  /// The plan, and a question for the member if it changes a club that works.
  /// - Parameter wanted: the name that the member asks for.
  /// - Parameter moving: the club of `move`, if the member agrees.
  /// - Throws: `exists` for a name that another club has; `badInput` if the member's own config would have to change.
  func plan(_ wanted: String?, moving: KnownClub? = nil) throws(StoreError) -> (JoinPlan, question: String?) {
    let found =
      moving ?? own.first { $0.accountID == joined.accountID && $0.origin == line.origin }
      ?? own.first { $0.origin == line.origin }
    let there = wanted == nil ? found : own.first { $0.name == wanted && $0.isDropIn }
    guard let there else {
      if let wanted, taken.contains(wanted) {
        throw StoreError(
          .exists, "There is a club \"\(wanted)\" already.",
          remedy: "Choose another name with --name. The invitation is "
            + "still good on this machine for an hour.")
      }
      let name = wanted ?? JoinPlanner.name(host: line.origin.host, club: joined.club, taken: taken)
      return (.add(name: name, word: needsWord(beside: nil) ? name : nil), nil)
    }
    let isSamePlace = there.origin == line.origin && there.pin == line.pin?.configText
    guard there.isDropIn else {
      guard isSamePlace else { throw isOwn(there) }
      return (.signIn(name: there.name), question(there, isSamePlace: true))
    }
    let word = there.word ?? (needsWord(beside: there) ? there.name : nil)
    return (.replace(name: there.name, word: word), question(there, isSamePlace: isSamePlace))
  }

  /// True if another club has its sign-in at this server without a word of its own.
  private func needsWord(beside club: KnownClub?) -> Bool {
    known.contains { $0.name != club?.name && $0.origin == line.origin && $0.word == nil }
  }

  private static let second = "type in a terminal: byteclub join LINE --name NAME."

  private func question(_ club: KnownClub, isSamePlace: Bool) -> String? {
    let isOther = club.accountID != nil && club.accountID != joined.accountID
    guard isOther || !isSamePlace else { return nil }
    var sentence = "The club \"\(club.name)\" is at \(club.origin). "
    if club.origin != line.origin {
      sentence += "The invitation moves it to \(line.origin). "
      if !isOther { sentence += "Uploads and downloads of this account go on there. " }
    } else if !isSamePlace {
      sentence += "The invitation is of a server with another key. "
    }
    if !isSamePlace { sentence += "Only the owner of your club should have sent you this line. " }
    sentence += "Drafts, texts that wait and the local copy stay. "
    if isOther {
      sentence +=
        "You are signed in to it as another member: their texts wait here until they sign in again. For a second club "
        + "there, \(isInApp ? JoinPlanner.second : "answer no and add --name NAME.") "
    }
    return sentence + "Change it?"
  }

  private func isOwn(_ club: KnownClub) -> StoreError {
    let pin = line.pin.map { " and \"clubs.\(club.name).pin\" to \"\($0.configText)\"" } ?? ", without a \"pin\""
    let second = isInApp ? "for a second club, \(JoinPlanner.second)" : "add --name NAME for a second club."
    return StoreError(
      .badInput, "The club \"\(club.name)\" is in \(config), which byteclub does not change.",
      remedy:
        "Set \"clubs.\(club.name).server\" there to \"\(line.origin)\"\(pin), and join again; or \(second) The "
        + "invitation is still good on this machine for an hour.")
  }

  /// Of the host and the club's name, both from the server: letters, digits and dashes alone, numbered when taken. An
  /// address in numbers says nothing.
  static func name(host: String, club: String, taken: Set<String>) -> String {
    let isAddress = host.hasPrefix("[") || host.allSatisfy { $0.isNumber || $0 == "." } || host == "localhost"
    let place = isAddress ? "" : slug(String(host.prefix { $0 != "." }))
    let club = slug(club)
    let words = [place, club == place ? "" : club].filter { !$0.isEmpty }
    let name = trimmed(words.isEmpty ? "club" : words.joined(separator: "-"), 36)
    guard taken.contains(name) else { return name }
    var number = 2
    while taken.contains("\(name)-\(number)") { number += 1 }
    return "\(name)-\(number)"
  }

  private static func slug(_ text: String) -> String {
    let letters = text.utf8.prefix(1000).map { byte -> Character in
      switch byte {
      case 0x61...0x7A, 0x30...0x39: Character(UnicodeScalar(byte))
      case 0x41...0x5A: Character(UnicodeScalar(byte | 0x20))
      default: "-"
      }
    }
    return trimmed(String(letters).split(separator: "-").joined(separator: "-"), 20)
  }

  private static func trimmed(_ name: String, _ length: Int) -> String {
    var name = name.prefix(length)
    while name.last == "-" { name.removeLast() }
    return String(name)
  }
}
