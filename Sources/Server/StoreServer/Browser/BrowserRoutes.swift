import Basics
import ClubServices
import Database
import FileStores
import HTTPTypes
import Hummingbird
import Imaging
import Markdown

extension RouteTable {
  static let browserRoutes: [Route] = ["/club", BrowserPages.path].map { path in
    var route = Route(
      path, .page,
      .everyone(because: "the cookie of a session says who asks; without one each page leads to /join"), browser)
    route.takesSession = true
    return route
  }

  private static let attempts = 4

  @Sendable private static func browser(_ call: Call) async throws -> Response {
    guard call.club.servesPages else { return LinkPages.gone.response(.notFound) }
    guard let session = call.session else { return Page.seeOther("/join") }
    if call.head.method == .post { return try await post(call, session) }
    return try await call.whileThere {
      for _ in 1..<attempts {
        do {
          return try await get(call, session)
        } catch let error as StoreError where error.tellsOfChange {
          // The file was replaced while it was read.
          continue
        }
      }
      return try await get(call, session)
    }
  }

  /// The file of a note's or photo's page; nil if there is none.
  private static func thing(_ call: Call) async throws -> ServerNode? {
    let isPhoto = call.head.barePath.hasPrefix(BrowserPages.photos)
    guard let node = try await node(call, below: isPhoto ? BrowserPages.photos : BrowserPages.notes), !node.isFolder
    else { return nil }
    return (isPhoto ? BrowserLists.isPhoto : BrowserLists.isNote)(node) ? node : nil
  }

  private static func node(_ call: Call, below prefix: String) async throws -> ServerNode? {
    let path = call.head.barePath
    guard path.hasPrefix(prefix),
      let below = ServedLinks.below(inPath: ServedLinks.path + "word/name/" + path.dropFirst(prefix.count)),
      let display = ServedLinks.shownPath(below)
    else { return nil }
    return try await call.club.index.find(display: display)
  }

  /// The folder of a page of notes; nil if there is none.
  private static func folder(_ call: Call) async throws -> ServerNode? {
    guard call.head.barePath != BrowserPages.notes else { return ClubIndex.root }
    guard call.head.barePath.hasSuffix("/"), let node = try await node(call, below: BrowserPages.notes) else {
      return nil
    }
    return BrowserLists.isFolder(node) ? node : nil
  }

  // MARK: Pages

  private static func get(_ call: Call, _ session: BrowserSession) async throws -> Response {
    let (club, seal, query) = (call.club, call.club.seal, FormText.query(of: call.head))
    func page(_ title: String, _ tab: String, _ html: String, _ width: Page.Width = .text) -> Response {
      BrowserPages.page(title, tab, session, seal, [.text(html)], width: width).response()
    }
    switch String(call.head.barePath) {
    case BrowserPages.path, "/club":
      let list = BrowserPages.list(try await BrowserLists.new(club), else: "There is nothing yet.")
      return page("What is new", BrowserPages.path, "<main><h1>What is new</h1>\n\(list)</main>")
    case BrowserPages.notes where query["q"]?.isEmpty == false:
      let words = query["q"] ?? ""
      // The pages print days in UTC.
      let sought = NoteQuery(words, QueryClock(now: .now()))
      let found = try await BrowserLists.search(sought, by: session.member, club)
      let list = BrowserPages.about(sought) + BrowserPages.list(found, of: sought)
      return page("Notes", BrowserPages.notes, "<main><h1>Notes</h1>\n\(BrowserPages.search(words))\(list)</main>")
    case BrowserPages.photos:
      let (photos, older) = try await BrowserLists.photos(club, before: query["before"].flatMap { Int64($0) } ?? .max)
      return page(
        "Photos", BrowserPages.photos, "<main class=\"photos\">\(BrowserPages.grid(photos, older: older))</main>", .full
      )
    case BrowserPages.bring where session.mayWrite:
      return page("Bring photos", BrowserPages.bring, BrowserPages.bringForm(session.form(seal)))
    default: break
    }
    if let folder = try await folder(call) {
      let list = BrowserPages.list(try await BrowserLists.notes(in: folder, club), of: folder)
      return page(folder.path.isRoot ? "Notes" : folder.name, BrowserPages.notes, "<main>\(list)</main>")
    }
    guard let thing = try await thing(call) else { return LinkPages.gone.response(.notFound) }
    if let name = query["to"] {
      guard let target = try await BrowserLinks.target(name, of: thing, in: club) else {
        return LinkPages.gone.response(.notFound)
      }
      return Page.seeOther(BrowserPages.address(of: target.display))
    }
    if query["dl"] == "1" { return download(thing, call) }
    guard BrowserLists.isPhoto(thing) else { return try await note(thing, query, call, session).response() }
    if let kind = query["preview"] {
      return try await preview(of: thing, isSmall: kind == "small", call) ?? LinkPages.gone.response(.notFound)
    }
    return try await photo(thing, query, call, session).response()
  }

  private static func note(
    _ note: ServerNode, _ query: [String: String], _ call: Call, _ session: BrowserSession
  ) async throws -> Page {
    let text: Page.Part =
      note.size <= LinkText.largest
      ? .made(try await LinkText.make(of: note, isLinked: true, in: call.club))
      : .text("<main><p>This note is too long for a page. Read it with byteclub.</p></main>")
    let above = note.path.parent.isRoot ? "" : BrowserPages.above(note.display)
    let facts = "\(above)<p class=\"facts\">\(title(note))</p>\n"
    let remarks = try await remarks(on: note, query, call, session)
    return BrowserPages.page(
      note.name, BrowserPages.notes, session, call.club.seal, [.text(facts), text] + remarks)
  }

  private static func photo(
    _ photo: ServerNode, _ query: [String: String], _ call: Call, _ session: BrowserSession
  ) async throws -> Page {
    let club = call.club
    let header = LinkPreview.isKnownToFail(photo, in: club) ? nil : try await LinkPreview.header(of: photo, in: club)
    let picture =
      header.map { LinkPages.frame(photo.name, $0.size) } ?? "<p class=\"facts\">It cannot be shown here.</p>"
    var parts: [Page.Part] = [
      .text("<main>\(picture)</main>\n<p class=\"facts\">\(title(photo))</p>\n")
    ]
    if let caption = try await club.index.find(display: photo.display + ".md"), !caption.isFolder,
      caption.size <= LinkText.largest
    {
      parts.append(.text("<div class=\"caption\">"))
      parts.append(.made(try await LinkText.make(of: caption, isLinked: true, in: club)))
      parts.append(.text("</div>"))
    }
    return BrowserPages.page(
      photo.name, BrowserPages.photos, session, club.seal, parts + (try await remarks(on: photo, query, call, session)),
      width: .full)
  }

  private static func title(_ node: ServerNode) -> String {
    "<b><bdi>\(HTMLText.name(node.name))</bdi></b> <span class=\"hint\">\(HTMLText.escaped(BrowserPages.about(node)))</span> <a href=\"?dl=1\">Download</a>"
  }

  private static func remarks(
    on thing: ServerNode, _ query: [String: String], _ call: Call, _ session: BrowserSession
  ) async throws -> [Page.Part] {
    let (club, mayWrite) = (call.club, session.mayWrite)
    var parts: [Page.Part] = [.text("\n<section id=\"remarks\"><h2>Remarks</h2>\n")]
    if let made = try await BrowserTalk.make(of: thing, mayAnswer: mayWrite, in: club) {
      parts.append(.made(made))
    } else {
      parts.append(.text("<p class=\"hint\">There is none yet.</p>\n"))
    }
    if mayWrite {
      let answer = try await BrowserTalk.answered(query["answer"], on: thing, in: club)
      parts.append(.text(BrowserPages.remarkForm(session.form(club.seal), answer: answer)))
    }
    return parts + [.text("</section>")]
  }

  private static func preview(of photo: ServerNode, isSmall: Bool, _ call: Call) async throws -> Response? {
    guard let made = try await LinkPreview.make(of: photo, isSmall: isSmall, in: call.club) else { return nil }
    var response = Served(
      metadata: nil, tag: Rev.text(photo.rev) + (isSmall ? "-small" : "-preview"), size: UInt64(made.bytes.count),
      type: LinkPreview.type
    ).response(call.head) { offset, _, receive in _ = try await receive(made.bytes[Int(offset)...]) }
    Page.sealFile(&response.headers)
    return response
  }

  // MARK: Forms

  private static func post(_ call: Call, _ session: BrowserSession) async throws -> Response {
    try BrowserSession.checkOrigin(call)
    let (club, path) = (call.club, String(call.head.barePath))
    if path == BrowserPages.bring { return try await bring(call, session) }
    let fields = try await call.form()
    let number = try number(fields["form"], session, club)
    if path == BrowserPages.path + "leave" {
      let (members, member, device) = (club.members, session.member.id, session.token.family)
      _ = try await club.index.pool.run { () throws(StoreError) in try members.remove(device: device, of: member) }
      return Page.seeOther("/join", cookie: BrowserSession.cookie("", seconds: 0))
    }
    guard let thing = try await thing(call) else { return LinkPages.gone.response(.notFound) }
    try checkWriter(session)
    try await BrowserTalk.add(
      fields["text"] ?? "", answer: fields["re"], form: number, to: thing, by: session.member, in: club)
    return Page.seeOther(BrowserPages.address(of: thing.display) + "#remarks")
  }

  private static func checkWriter(_ session: BrowserSession) throws(APIFailure) {
    guard session.mayWrite else {
      throw .plain(status: 403, "You are a reader of this club: you see everything, and change nothing.")
    }
  }

  private static func number(
    _ value: String?, _ session: BrowserSession, _ club: ServedClub
  ) throws(APIFailure) -> String {
    guard let number = session.number(ofForm: value, club.seal) else {
      throw .plain(status: 403, "The form is not of this session. Open the page again, and send the form from there.")
    }
    return number
  }

  private static func bring(_ call: Call, _ session: BrowserSession) async throws -> Response {
    let club = call.club
    _ = try number(FormText.query(of: call.head)["form"], session, club)
    try checkWriter(session)
    let form = try DropForm.body(of: call)
    guard club.drops.forms.count(of: session.member.id) < ServedDropPages.mostForms else {
      throw APIFailure.plain(status: 503, "You are sending other pictures already. Try again in a minute.")
    }
    let outcome = try await club.drops.forms.reading(session.member.id) {
      var reading = DropForm(form, by: session.member, into: BrowserLists.photosFolder, of: club) {
        () async throws(StoreError) in
        try await club.session(call.head).member.map { !$0.isReader } ?? false
      }
      await reading.read()
      return reading.outcome
    }
    let (title, html) = DropPages.answerText(outcome, at: BrowserPages.bring)
    return BrowserPages.page(title, BrowserPages.bring, session, club.seal, [.text(html)])
      .response(outcome.kept.isEmpty ? .badRequest : .ok)
  }
}
