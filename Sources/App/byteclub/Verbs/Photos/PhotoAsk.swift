import ArgumentParser
import Backends
import ClubServices
import FileStores
import JSON
import QRCodes
import Screens

struct PhotoAsk: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "ask", abstract: "Ask a friend for photos: print a page where a phone leaves them, and its QR code.",
    discussion: Examples.text([
      "byteclub photo ask": "a page for a day, and for 500 MiB in all",
      "byteclub photo ask --from Mia --to oslo": "photos from Mia, into the folder oslo below the photos",
      "byteclub photo ask --expires 7d --limit 2GiB": "for a week",
      "byteclub link ls": "your pages, below your links",
      "byteclub link rm ADDRESS": "end one",
    ])
      + "\n\nThe friend needs no account. Who has the address can leave photos until the page ends, and sees nothing of the "
      + "club. The photos are yours in the club, with the giver's name: \"Mia (a guest of ray)\". Clubs behind byteclub serve "
      + "--drop-pages have such pages.")

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("The folder for the photos, below the photos folder.", valueName: "album"))
  var folder = ""
  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("The giver's name. Without it, the giver types one.", valueName: "name"))
  var giver = ""
  @Option(
    help: ArgumentHelp(
      "The end of the page: a number of days (7d), weeks (2w) or hours (12h) from now, a date or a time, as in byteclub "
        + "photo link.", valueName: "when"),
    transform: LinkEnd.init)
  var expires = LinkService.dropEnd
  @Option(
    help: ArgumentHelp("The most bytes of all photos together, such as 500MiB or 2GiB.", valueName: "size"),
    transform: PhotoAsk.bytes)
  var limit = LinkService.dropBytes
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if expires == .never {
      throw ValidationError("A page for photos ends at some time. Write --expires 7d, for example.")
    }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let page = try await session.open.notes.links.dropPage(
      into: folder, giver: giver, end: expires, mostBytes: limit)
    var record = Record(.link(page), line: page.url)
    record.picture = QRPicture.lines(of: page.url) ?? []
    var answer = Answer([record])
    answer.notices = page.dropSentences + PhotoAsk.warnings(page.url, session.setup.choice.store)
    answer.notices.append("It is in: byteclub link ls")
    return answer
  }

  /// Sentences about phones that do not reach the address, or that warn of it.
  static func warnings(_ address: String, _ store: StoreDescription) -> [String] {
    if HTTPOrigin(address)?.isLoopback == true {
      return ["No phone reaches this address: it is of this machine alone. The server has to listen to the network."]
    }
    guard store.options["pin"] != nil || store.options["caFile"] != nil else { return [] }
    return ["The phone's browser warns of the server's own certificate. Tell the giver that this is expected."]
  }

  /// Of `340`, `20KiB`, `500MiB` or `2GiB`.
  static func bytes(_ text: String) throws -> UInt64 {
    let units: KeyValuePairs<String, Int> = ["KiB": 10, "MiB": 20, "GiB": 30]
    let unit = units.first { text.hasSuffix($0.key) }
    let digits = text.dropLast(unit?.key.count ?? 0)
    guard (1...12).contains(digits.utf8.count), let number = UInt64(digits), number > 0,
      case let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: 1 << (unit?.value ?? 0)), !isTooMuch
    else {
      throw ValidationError("\"\(text)\" is no size. Write a number of bytes, or 20KiB, 500MiB or 2GiB, for example.")
    }
    return bytes
  }
}
