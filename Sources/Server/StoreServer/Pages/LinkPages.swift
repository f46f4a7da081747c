import Database
import Imaging
import Markdown

/// The pages of a link to a file: the file with a download, the question for the password, and the one page that says that
/// nothing is there.
enum LinkPages {
  /// The words of a link's page about its file.
  struct Facts: Sendable {
    let name: String
    /// In bytes.
    let size: UInt64
    /// In seconds since 1970.
    let changed: Int64
    /// In seconds since 1970; nil for never.
    let ends: Int64?

    init(name: String, size: UInt64, changed: Int64, ends: Int64?) {
      (self.name, self.size, self.changed, self.ends) = (name, size, changed, ends)
    }

    init(_ found: ServedLinks.Found) {
      self.init(
        name: found.file.name, size: found.file.size, changed: found.file.serverModified, ends: found.link.expires)
    }
  }

  static let gone = Page(
    title: "Nothing here",
    body: """
      <main><h1>There is nothing here</h1>
      <p>The link is wrong, it has ended, or its file is gone. Ask the person who gave it to you for a new one.</p></main>
      """)

  /// - Parameter isWrong: true after a wrong password.
  static func question(isWrong: Bool) -> Page {
    Page(
      title: "A shared file",
      body: """
        <main><h1>This link has a password</h1>
        \(isWrong ? "<p class=\"note\">The password is wrong.</p>\n" : "")<form method="post">
        <p><label>Password (from the person who gave you the link)<br>
        <input type="password" name="password" required autofocus autocomplete="off"></label></p>
        <p><button>Open</button></p>
        </form>
        <p class="hint">A cookie of this page remembers for an hour that you know the password.</p></main>
        """)
  }

  /// - Parameter html: the note's text, as HTML.
  static func rendered(_ html: String) -> String { "<main>\n\(html)</main>" }

  /// A text that is not Markdown, as HTML.
  static func plain(_ text: String) -> String { "<main><pre dir=\"auto\">\(HTMLText.escaped(text))</pre></main>" }

  /// A file that no page shows, as HTML.
  static let unshown = "<main><p>This file cannot be shown here. Download it to open it.</p></main>"

  /// - Parameter text: the middle of the page, as HTML (`LinkText`).
  static func text(_ facts: Facts, _ text: Made) -> Page { page(facts, .made(text)) }

  /// - Parameter size: of the whole picture, in pixels.
  static func picture(_ facts: Facts, _ size: PixelSize) -> Page {
    page(facts, .text("<main>\(frame(facts.name, size))</main>"), width: .full)
  }

  /// A panorama is a strip as high as the window, scrolled sideways.
  static func frame(_ name: String, _ size: PixelSize) -> String {
    let picture =
      "<img src=\"?preview=1\" width=\"\(size.width)\" height=\"\(size.height)\" alt=\"\(HTMLText.name(name))\">"
    return LinkPreview.isWide(size)
      ? "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"The whole picture, wider than the window\">"
        + picture + "</div>" : "<p class=\"photo\">\(picture)</p>"
  }

  /// The page of a file that no page shows.
  static func other(_ facts: Facts) -> Page { page(facts, .text(unshown)) }

  private static func page(_ facts: Facts, _ main: Page.Part, width: Page.Width = .text) -> Page {
    page(
      facts.name, about: "\(words(bytes: facts.size)), changed \(day(facts.changed))", ends: facts.ends, main,
      width: width)
  }

  /// A page with a header, which offers the download, and a footer.
  static func page(
    _ name: String, about: String, ends: Int64?, _ main: Page.Part, width: Page.Width = .text
  ) -> Page {
    let end = ends.map { " This link ends on \(day($0)) at \(minute($0)) UTC." } ?? ""
    let header = """
      <header><div><span class="name"><bdi>\(HTMLText.name(name))</bdi></span>
      <span class="facts">\(about)</span></div>
      <a class="button" href="?dl=1">Download</a></header>

      """
    let footer = "\n<footer>Shared with byteclub.\(end)</footer>"
    return Page(title: name, parts: [.text(header), main, .text(footer)], width: width)
  }

  static func day(_ second: Int64) -> String { String(WireTime.text(second).prefix(10)) }

  static func minute(_ second: Int64) -> String { String(WireTime.text(second).dropFirst(11).prefix(5)) }

  static func words(bytes: UInt64) -> String {
    let (units, step) = (["bytes", "KiB", "MiB", "GiB", "TiB"], 1024.0)
    var (size, unit) = (Double(bytes), 0)
    while size >= step, unit < units.count - 1 { (size, unit) = (size / step, unit + 1) }
    guard unit > 0 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    let tenths = Int((size * 10).rounded())
    return size < 10 ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(Int(size.rounded())) \(units[unit])"
  }
}
