import Database
import Markdown

/// The two pages of a drop page: the form, and the answer to it. They tell nothing of the club but who asks.
///
/// The form names the kinds of pictures that the club can show: an iPhone then sends its pictures as they are, and does not
/// make JPEGs of them first.
enum DropPages {
  static let fields = """
    <p><label>A caption for them, if you like<br>
    <input type="text" name="caption" maxlength="2000" autocomplete="off"></label></p>
    <p><label>Pictures<br>
    <input type="file" name="pictures" accept="\(V1FileKind.pictureTypes.joined(separator: ","))" multiple required></label></p>
    <p><button>Send</button></p>
    """

  static func form(_ page: ServerDropPage) -> Page {
    let name =
      page.guest.map { "<p>They arrive as pictures of <bdi>\(HTMLText.name($0))</bdi>.</p>" } ?? """
        <p><label>Your name<br>
        <input type="text" name="name" maxlength="60" autocomplete="name"></label></p>
        """
    return Page(
      title: "Bring photos",
      body: """
        <main><h1><bdi>\(HTMLText.name(page.member.name))</bdi> asks for photos</h1>
        <form method="post" enctype="multipart/form-data">
        \(name)
        \(fields)
        </form>
        <p class="hint">JPEG, PNG, WebP, GIF, HEIC and AVIF pictures, up to 200 at once and \(LinkPages.words(bytes: page.leftBytes)) in all.
        They are kept as they are, with what the camera wrote into them, such as the place. This page takes them until
        \(LinkPages.day(page.expires)), \(LinkPages.minute(page.expires)) UTC.</p></main>
        """)
  }

  /// - Parameter path: of the form.
  static func answer(_ outcome: DropOutcome, at path: String) -> Page {
    let (title, html) = answerText(outcome, at: path)
    return Page(title: title, body: html)
  }

  /// The answer's title, and its middle as HTML.
  static func answerText(_ outcome: DropOutcome, at path: String) -> (title: String, html: String) {
    let count = outcome.kept.count
    let title = count == 0 ? "Nothing has come" : count == 1 ? "The picture has come" : "\(count) pictures have come"
    let refused = outcome.refused.map {
      "<li><bdi>\(HTMLText.name($0.name))</bdi>: \(HTMLText.escaped($0.reason)).</li>"
    }
    var body = "<main><h1>\(count == 0 ? title : title + ". Thank you!")</h1>\n"
    if count > 0 {
      body += "<ul>\n\(outcome.kept.map { "<li><bdi>\(HTMLText.name($0))</bdi></li>\n" }.joined())</ul>\n"
    } else if refused.isEmpty, outcome.broken == nil {
      body += "<p>No picture was chosen.</p>\n"
    }
    if !refused.isEmpty {
      body += "<p class=\"note\">Not kept:</p>\n<ul>\n\(refused.joined(separator: "\n"))\n</ul>\n"
    }
    if let broken = outcome.broken {
      body +=
        "<p class=\"note\">The rest has not come. \(HTMLText.escaped(broken)) Send what is missing once more.</p>\n"
    }
    body += "<p><a class=\"button\" href=\"\(path)\">\(count == 0 ? "Try again" : "Send more")</a></p></main>"
    return (title, body)
  }
}
