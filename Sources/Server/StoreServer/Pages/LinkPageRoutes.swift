import Database
import FileStores
import HTTPTypes
import Hummingbird
import Imaging
import Markdown

extension RouteTable {
  static let linkPageRoutes: [Route] = [
    Route(
      ServedLinks.path, .page,
      .everyone(because: "the address is a secret that a member gave away; it opens one file or folder until it ends"),
      linkPage)
  ]

  private static let cookie = "byteclub_link"
  private static let largestForm = 4 * 1024
  private static let attempts = 4

  @Sendable private static func linkPage(_ call: Call) async throws -> Response {
    guard let word = ServedLinks.word(inPath: call.head.barePath) else { return LinkPages.gone.response(.notFound) }
    return try await call.whileThere {
      for _ in 1..<attempts {
        do {
          return try await linkPage(call, word)
        } catch let error as StoreError where error.tellsOfChange && call.head.method != .post {
          // The file was replaced while it was read.
          continue
        }
      }
      return try await linkPage(call, word)
    }
  }

  private static func linkPage(_ call: Call, _ word: String) async throws -> Response {
    let links = call.club.links
    guard let top = try await links.find(word) else { return LinkPages.gone.response(.notFound) }
    if top.link.password != nil {
      if call.head.method == .post { return try await answer(call, top, at: ServedLinks.path + word) }
      guard let pass = call.head.cookie(cookie), links.isPass(pass, for: top.link) else {
        return LinkPages.question(isWrong: false).response()
      }
    }
    // A visitor stays a stranger among the connections: a link may be known to everyone.
    let query = FormText.query(of: call.head)
    let below = top.file.isFolder ? ServedLinks.below(inPath: call.head.barePath) : ""
    guard let below, let found = try await links.found(top, below: below) else {
      return LinkPages.gone.response(.notFound)
    }
    guard !found.file.isFolder else { return try await folder(found, word, isDownload: query["dl"] == "1", call) }
    if query["dl"] == "1" { return download(found.file, call) }
    if query["preview"] == "1" { return try await preview(found.file, call) }
    return try await page(found, call.club).response()
  }

  // MARK: The folder

  private static func folder(
    _ found: ServedLinks.Found, _ word: String, isDownload: Bool, _ call: Call
  ) async throws -> Response {
    guard isDownload else {
      let nodes = try await call.club.links.contents(of: found.file, limit: LinkedFolderPage.most)
      return nodes.map { LinkedFolderPage.page(found, $0, at: word).response() } ?? LinkPages.gone.response(.notFound)
    }
    do {
      // No answer to a stranger is sent at the quick pace.
      var response = try await call.club.archive(of: found.file, SendBudget(most: 0), isForStrangers: true).1
      response.headers[.contentDisposition] = FormText.attachment(HTMLText.visible(found.file.name) + ".zip")
      Page.sealFile(&response.headers)
      return response
    } catch APIFailure.route(let error) {
      guard error.tag != "path" else { return LinkPages.gone.response(.notFound) }
      throw APIFailure.plain(
        status: 413, "The folder is too large to be downloaded at once. Download its files one by one.")
    }
  }

  // MARK: The file

  /// A plain download, whatever the file contains, so that no browser runs it.
  static func download(_ file: ServerNode, _ call: Call) -> Response {
    let club = call.club
    var response = Served(
      metadata: nil, tag: Rev.text(file.rev), size: file.size, type: nil, name: HTMLText.visible(file.name)
    ).response(call.head) { offset, pace, receive in try await club.send(file, from: offset, pace, receive) }
    Page.sealFile(&response.headers)
    return response
  }

  private static func preview(_ file: ServerNode, _ call: Call) async throws -> Response {
    guard let made = try await LinkPreview.make(of: file, in: call.club) else {
      return LinkPages.gone.response(.notFound)
    }
    var response = Served(
      metadata: nil, tag: Rev.text(file.rev) + "-preview", size: UInt64(made.bytes.count), type: LinkPreview.type
    ).response(call.head) { offset, _, receive in _ = try await receive(made.bytes[Int(offset)...]) }
    Page.sealFile(&response.headers)
    return response
  }

  private static func page(_ found: ServedLinks.Found, _ club: ServedClub) async throws -> Page {
    let (file, facts) = (found.file, LinkPages.Facts(found))
    if !LinkPreview.isKnownToFail(file, in: club), let header = try await LinkPreview.header(of: file, in: club) {
      return LinkPages.picture(facts, header.size)
    }
    guard file.size <= LinkText.largest, !ThumbnailOrder.isSupported(file.key) else { return LinkPages.other(facts) }
    return LinkPages.text(facts, try await LinkText.make(of: file, in: club))
  }

  // MARK: The password

  /// The right password leads back to the page with a cookie that opens it. Such a cookie is sent to this link alone; a
  /// form of another site can do no more with it than open the link.
  private static func answer(_ call: Call, _ found: ServedLinks.Found, at path: String) async throws -> Response {
    guard let bytes = try await call.body.all(atMost: largestForm) else {
      throw APIFailure.plain(status: 413, "The form is too large.")
    }
    let form = FormText.read(String(decoding: bytes, as: UTF8.self))
    guard try await call.club.links.isRight(form["password"] ?? "", for: found.link, call) else {
      return LinkPages.question(isWrong: true).response(.forbidden)
    }
    let pass = call.club.links.pass(found.link)
    let secure = call.origin.hasPrefix("https:") ? "; Secure" : ""
    return Page.seeOther(
      call.head.path ?? path,
      cookie: "\(cookie)=\(pass.word); Path=\(path); Max-Age=\(pass.seconds); HttpOnly; SameSite=Lax\(secure)")
  }

}

extension HTTPRequest {
  /// The value of the first cookie of that name (RFC 6265, section 4.2).
  func cookie(_ name: String) -> String? {
    for pair in (headerFields[.cookie] ?? "").split(separator: ";") {
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }
}
