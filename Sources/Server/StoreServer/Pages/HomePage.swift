import HTTPTypes
import Hummingbird

/// The server's address in a browser: it says which program this is, and how to join.
extension RouteTable {
  static let homeRoutes: [Route] = [
    Route("/", .page, .everyone(because: "it names the program, and tells nothing about the club"), homePage)
  ]

  @Sendable private static func homePage(_ call: Call) async throws -> Response {
    // A program that was led here by mistake gets the answer of any unknown call.
    guard call.head.method != .post, call.head.headerFields[.accept]?.contains("text/html") == true else {
      throw APIFailure.badCall("Unknown API function.")
    }
    return HomePage.page.response()
  }
}

enum HomePage {
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
