import Basics
import Database
import FileStores
import HTTPTypes
import Hummingbird
import Markdown

/// The form of the page at `/join`, which begins a session.
enum BrowserJoin {
  /// - Parameters:
  ///   - note: the reason why the code before was not taken.
  ///   - device: the browser's random value, by which a form that is sent twice gets the same answer.
  static func form(note: String?, device: String) -> String {
    """
    \(note.map { "<p class=\"note\">\(HTMLText.escaped($0))</p>\n" } ?? "")<form method="post" action="/join">
    <input type="hidden" name="device" value="\(HTMLText.escaped(device))">
    <p><label>The whole address of your invitation, or its code, or the code of <code>byteclub device add</code><br>
    <input name="code" required autocomplete="off" autocapitalize="none" spellcheck="false"></label></p>
    <p><button>Open the club here</button></p>
    </form>
    <p class="hint">A cookie remembers you in this browser for 30 days. It is listed and ended like a device of yours. The
    code works once: for byteclub on a computer you need another one.</p>
    """
  }

  static let needsTLS = """
    <p class="note">Over plain HTTP a browser does not keep who you are. Open this page by https.</p>
    """
  private static let wrong = "The code is wrong, was used already, or is too old. Ask for a new one."

  /// The code in whatever was pasted: an address, with a pin behind it or not, or a line for a terminal.
  static func code(_ pasted: String) -> String {
    let end = pasted.replacing("%23", with: "#").split(separator: "#", omittingEmptySubsequences: false).last ?? ""
    let code = end.filter { !$0.isNewline }.drop { $0.isWhitespace || "'\"<>".contains($0) }
    return String(code.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
  }

  /// - Throws: 429 after too many wrong codes from the caller's address.
  static func join(_ call: Call, _ page: (_ form: String) async -> Page) async throws -> Response {
    guard BrowserSession.canBegin(at: call.origin) else {
      throw APIFailure.plain(
        status: 400, "Over plain HTTP a browser does not keep who you are. Open this page by https.")
    }
    try BrowserSession.checkOrigin(call)
    let fields = try await call.form()
    let given = fields["device"] ?? ""
    let device = JoinCodes.isDevice(given) ? given : FreshID.word(22)
    try call.checkFailures()
    let (codes, now) = (JoinCodes(call.club.members), call.club.index.now())
    let (code, name) = (code(fields["code"] ?? ""), deviceName(call.head.headerFields[.userAgent] ?? ""))
    let joined = try await call.club.index.pool.run { () throws(StoreError) in
      try codes.redeem(code, device: device, name: name, session: now + BrowserSession.seconds, at: now)
    }
    guard let joined else {
      try call.noteFailure()
      return await page(form(note: wrong, device: device)).response(.forbidden)
    }
    return Page.seeOther(BrowserPages.path, cookie: BrowserSession.cookie(joined.token))
  }

  /// Such as "Firefox on Android", for the list of devices.
  static func deviceName(_ agent: String) -> String {
    func first(_ marks: KeyValuePairs<String, String>) -> String? { marks.first { agent.contains($0.key) }?.value }
    // Browsers name those that they are like, too.
    let browser = first([
      "Firefox/": "Firefox", "FxiOS/": "Firefox", "Edg": "Edge", "OPR/": "Opera", "Chrome/": "Chrome",
      "CriOS/": "Chrome",
      "Safari/": "Safari",
    ])
    let system = first([
      "Android": "Android", "iPhone": "an iPhone", "iPad": "an iPad", "Windows": "Windows", "Mac OS X": "a Mac",
      "Linux": "Linux",
    ])
    return (browser ?? "a browser") + (system.map { " on " + $0 } ?? "")
  }
}

extension Call {
  static let largestBrowserForm = 64 << 10

  /// The fields of a form.
  /// - Throws: 413.
  func form() async throws -> [String: String] {
    guard let bytes = try await body.all(atMost: Call.largestBrowserForm) else {
      throw APIFailure.plain(status: 413, "The form is too large.")
    }
    return FormText.read(String(decoding: bytes, as: UTF8.self))
  }
}
