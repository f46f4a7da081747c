import HTTPTypes
import Hummingbird

/// The server's address: for a browser it says which program this is and how to join, for monitors whether it works.
extension RouteTable {
  static let homeRoutes: [Route] = [
    Route(
      "/", .page, .everyone(because: "it names the program, and tells nothing about the club"),
      read { _ in HomePage.page.response() }),
    Route("/healthz", .free, .everyone(because: "monitors ask from outside, and get one word"), read(health)),
    Route(
      "/version", .free, .everyone(because: "it names the program, and tells nothing about the club"),
      read { call in .text("byteclub \(call.club.shared.version)\n", status: .ok) }),
    Route("/favicon.ico", .free, .everyone(because: "browsers ask for it beside each page"), read(icon)),
  ]

  /// A program that posts by mistake gets the answer of any unknown call.
  private static func read(
    _ handle: @escaping @Sendable (Call) async throws -> Response
  ) -> @Sendable (Call) async throws -> Response {
    { call in
      guard call.head.method != .post else { throw APIFailure.badCall("Unknown API function.") }
      return try await handle(call)
    }
  }

  /// Reasons are in the log and at the address of --listen-metrics: they name files.
  @Sendable private static func health(_ call: Call) async throws -> Response {
    let isWell = await call.club.shared.health.isWell(call.clubs)
    var response = Response.text(isWell ? "ok\n" : "failing\n", status: isWell ? .ok : .serviceUnavailable)
    response.headers[.cacheControl] = "no-store"
    return response
  }

  @Sendable private static func icon(_ call: Call) async throws -> Response {
    var response = Response.text(HomePage.icon, status: .ok)
    Page.sealFile(&response.headers)
    response.headers[.contentType] = "image/svg+xml"
    response.headers[.cacheControl] = "public, max-age=86400"
    return response
  }
}

enum HomePage {
  /// A prompt on a dark screen.
  static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#15181f"/>
    <path d="M3 4l5 4-5 4" fill="none" stroke="#7aa2f7" stroke-width="2"/><path d="M9 12h4" stroke="#e58f65" \
    stroke-width="2"/></svg>

    """

  static let page = Page(
    title: "byteclub",
    body: """
      <main><h1>This is a byteclub</h1>
      <p>A club of members who share notes and photos. byteclub is a program for the terminal; this server keeps the
      club's files for it.</p>
      <h2>How to join</h2>
      <ol>
      <li>Ask the owner of this server for an invitation: an address of this server, which lets you in once.</li>
      <li>Install byteclub, and run <code>byteclub join</code> with that address behind it, in quotes.</li>
      </ol>
      <p class="hint">Programs made for Dropbox work with this server, too.</p></main>
      """)
}
