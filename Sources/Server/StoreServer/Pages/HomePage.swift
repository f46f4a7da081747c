import HTTPTypes
import Hummingbird
import Markdown

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
    return HomePage.page(origin: call.origin).response()
  }
}

enum HomePage {
  static func page(origin: String) -> Page {
    let line = "\"club\": { \"store\": \"dropbox\", \"server\": \"\(origin)\", \"folder\": \"/\" }"
    return Page(
      title: "byteclub",
      body: """
        <main><h1>This is a byteclub</h1>
        <p>A club of members who share notes and photos. byteclub is a program for the terminal; this server keeps the
        club's files for it.</p>
        <h2>How to join</h2>
        <ol>
        <li>Ask the owner of this server to add you, and for a code word, which works once within 15 minutes.</li>
        <li>Install byteclub, and put this line into the <code>clubs</code> of your config
        (<code>byteclub config path</code> prints its place):
        <pre><code>\(HTMLText.escaped(line))</code></pre></li>
        <li>Run <code>byteclub login --club club</code> and open the address that it prints. The page asks for the code word
        and shows a code for the program. Then run <code>byteclub --club club</code>.</li>
        </ol>
        <p class="hint">Programs made for Dropbox work with this server, too.</p></main>
        """)
  }
}
