import ArgumentParser
import Basics
import ClubServices
import FileStores
import JSON
import Screens

/// Files shared with anyone by a link. `note link` and `photo link` make them.
struct LinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "List and end the links by which you share notes and photos, and your pages for photos from phones.",
    discussion: Examples.text([
      "byteclub note link Welcome": "share a note: prints the link",
      "byteclub photo link pier.jpg --expires 7d": "share a photo for a week",
      "byteclub link ls --long": "your links, with their end",
      "byteclub link rm Welcome": "end the link to a note",
    ]),
    subcommands: [LinkList.self, LinkRemove.self])
}

struct LinkList: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List your links into the club, then your pages for photos: addresses and names.",
    discussion: Examples.text([
      "byteclub link ls": "an address and a path a line; a page's path is a folder, with the giver and the limit",
      "byteclub link ls --long": "with the end, and if it asks for a password",
    ]))

  @Flag(name: .shortAndLong, help: "Show the end and the password, too.")
  var long = false
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    Answer(
      try await session.open.notes.links.all().map { link in
        let end = link.expires.map(RFC3339.text) ?? "never"
        let kind = link.drop != nil ? "photos" : link.hasPassword ? "password" : "-"
        let columns = long ? LinkList.padded(end, 22) + LinkList.padded(kind, 10) : ""
        let terms = link.drop.map { "/  \($0.words)" } ?? ""
        return Record(.link(link), line: Array((columns + link.url + "  ").utf8) + link.path.bytes + Array(terms.utf8))
      })
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

struct LinkRemove: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "End links and pages for photos at once: their addresses open nothing more.",
    discussion: Examples.text([
      "byteclub link rm Welcome": "the link to a note",
      "byteclub link rm pier.jpg": "the link to a photo",
      "byteclub link rm photos/oslo": "the pages that take photos into a folder",
      "byteclub link rm https://club.example/s/...": "one link, by its address",
    ]))

  @Argument(help: "Addresses of links, or the notes and photos that they lead to.", completion: NameCompletion.files)
  var names: [String]
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    try await Several.performEach(names) { name throws(StoreError) in
      let ended = try await session.open.notes.links.revoke(name)
      for link in ended {
        let kind = link.drop == nil ? "link to" : "page for photos into"
        session.notice(link.path.isRoot ? "The link has ended." : "The \(kind) \"\(link.path)\" has ended.")
      }
      return (ended.map { Record(.link($0), line: nil) }, nil)
    }
  }
}

struct NoteLink: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Share a note with anyone: print a link that shows it in a browser.",
    discussion: LinkOptions.examples("note", "Welcome"))

  @Argument(help: "The note.", completion: NameCompletion.notes) var name: String
  @OptionGroup var options: LinkOptions
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let path = try await NoteName.entry(name, session.open.notes).path
    var answer = try await options.link(to: path, session)
    answer.notices += try await session.noticeOfOwn(path, "The link shows the club's text.")
    return answer
  }
}

struct PhotoLink: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Share a photo with anyone: print a link that shows it in a browser.",
    discussion: LinkOptions.examples("photo", "pier.jpg"))

  @Argument(help: "The photo.", completion: NameCompletion.photos) var name: String
  @OptionGroup var options: LinkOptions
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    try await options.link(to: try await PhotoName.entry(name, session.open.photos).path, session)
  }
}

/// The settings of a new link.
struct LinkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The end of a new link: a number of days (7d), weeks (2w) or hours (12h) from now, a date (2026-12-31, its last "
        + "second in UTC), a time (2026-12-31T12:00:00Z, or with +02:00 for Z), or never. Without it, a week from now.",
      valueName: "when"),
    transform: LinkEnd.init)
  var expires: LinkEnd?
  @Flag(
    help: "Ask for a password, which the link then asks for; without a terminal, read it as a line of standard input.")
  var password = false

  static func examples(_ noun: String, _ name: String) -> String {
    Examples.text([
      "byteclub \(noun) link \(name)": "print the link; the same one each time, and a new one ends in a week",
      "byteclub \(noun) link \(name) --expires never": "it stays until you end it",
      "byteclub \(noun) link \(name) --password": "asks for a password to set",
      "byteclub link rm \(name)": "end it",
    ])
      + "\n\nAnyone who has the link sees the file as it is at the time, under whatever name it then has, and can "
      + "download it. Nothing else of the club is shared, and pictures inside a note are left out."
  }

  func link(to path: StorePath, _ session: Session) async throws(StoreError) -> Answer {
    let secret = password ? try await LinkPassword(session.output).ask(session.setup.pool) : nil
    do throws(StoreError) {
      let link = try await session.open.notes.links.link(to: path, expires, password: secret)
      return Answer([Record(.link(link), line: link.url)], notice: link.terms)
    } catch {
      guard error.kind == .exists else { throw error }
      throw StoreError(
        .exists, error.message, remedy: "To make another one, end that first: byteclub link rm NAME", path: path)
    }
  }
}

extension LinkEnd {
  /// As a member writes it.
  init(_ text: String) throws {
    if text == "never" {
      self = .never
    } else if let seconds = LinkEnd.seconds(text) {
      self = .after(seconds)
    } else if let day = LinkEnd.second(text + "T23:59:59Z") ?? LinkEnd.second(text) {
      self = .at(Timestamp(seconds: day))
    } else {
      throw ValidationError(
        "\"\(text)\" is no time for the end of a link. Write never, 7d, 12h, 2w, a date such as 2026-12-31, or a time "
          + "such as 2026-12-31T12:00:00Z.")
    }
  }

  /// The seconds of a number of hours, days or weeks: `12h`, `7d`, `2w`.
  static func seconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["h": 3600, "d": 86_400, "w": 7 * 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()), (1...36_500) ~= number
    else {
      return nil
    }
    return number * unit
  }

  /// The second of exactly this form: `2026-12-31T12:00:00Z`, or with another zone in place of `Z`: `+02:00`.
  static func second(_ text: String) -> Int64? {
    if text.utf8.count == 25, let zone = second("1970-01-01T\(text.suffix(5)):00Z"),
      let local = second("\(text.prefix(19))Z")
    {
      let sign = text.dropLast(5).last
      return sign == "+" ? local - zone : sign == "-" ? local + zone : nil
    }
    let numbers = text.split { !$0.isASCII || !$0.isNumber }.map { Int($0) ?? 0 }
    guard text.utf8.count == 20, numbers.count == 6, numbers[0] >= 1970, (1...12).contains(numbers[1]),
      (1...CivilDate.days(inMonth: numbers[1], of: numbers[0])).contains(numbers[2]), numbers[3] < 24, numbers[4] < 60,
      numbers[5] < 60
    else { return nil }
    let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
    let time = CivilTime(date, hour: numbers[3], minute: numbers[4], second: numbers[5])
    return time.utc == text ? Int64(time.secondsSince1970) : nil
  }
}

/// Asks for a new password: twice on a terminal, where it is not shown.
struct LinkPassword: Sendable {
  private let output: Output

  init(_ output: Output) { self.output = output }

  func ask(_ pool: BlockingPool) async throws(StoreError) -> String {
    let password = try await StandardInput.readSecret("Password for the link: ", output, pool)
    guard let password, !password.isEmpty else {
      throw StoreError(
        .badInput, "There was no password.", remedy: "Type one, or give it as a line of standard input.")
    }
    guard StandardInput.isTerminal else { return password }
    guard try await StandardInput.readSecret("The same again: ", output, pool) == password else {
      throw StoreError(.badInput, "The two passwords differ.", remedy: "Run the command again.")
    }
    return password
  }
}

extension JSONValue {
  static func link(_ link: SharedLink) -> JSONValue {
    .members([
      "url": .string(link.url),
      "name": link.path.isRoot ? nil : .string(String(decoding: link.path.name, as: UTF8.self)),
      "path": link.path.isRoot ? nil : .string(link.path.description),
      "expires": link.expires.map { .string(RFC3339.text($0)) },
      "hasPassword": link.path.isRoot || link.drop != nil ? nil : .bool(link.hasPassword),
      "takesPhotos": link.drop.map { _ in true },
      "from": link.drop?.giver.map { .string($0) },
      "limit": link.drop?.mostBytes.map { .number($0) },
    ])
  }
}
