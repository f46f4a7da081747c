import Basics
import ClubServices
import Database
import FileStores
import Imaging
import Markdown

/// The pages of the club for a member in a browser, as HTML.
enum BrowserPages {
  /// The path of all pages.
  static let path = "/club/"
  static let notes = path + "notes/"
  static let photos = path + "photos/"
  static let bring = path + "bring"

  private static let tabs = [("New", path), ("Notes", notes), ("Photos", photos), ("Bring photos", bring)]

  /// - Parameter tab: the address of the tab that the page belongs to.
  static func page(
    _ title: String, _ tab: String, _ session: BrowserSession, _ seal: Seal, _ main: [Page.Part],
    width: Page.Width = .text
  ) -> Page {
    let links = tabs.filter { $0.1 != bring || session.mayWrite }.map { name, address in
      "<a href=\"\(address)\"\(address == tab ? " aria-current=\"page\"" : "")>\(name)</a>"
    }
    let reader = session.mayWrite ? "" : " You are a reader: you see everything, and change nothing."
    let footer = """

      <footer><form method="post" action="\(path)leave"><input type="hidden" name="form" value="\(session.form(seal))">
      <p>Here as <bdi>\(HTMLText.name(session.member.name))</bdi>.\(reader) <button class="second">Leave</button></p></form>
      </footer>
      """
    let header = "<header><nav>\(links.joined(separator: "\n"))</nav></header>\n"
    var page = Page(title: title, parts: [.text(header)] + main + [.text(footer)], width: width)
    page.namesOrigin = true
    return page
  }

  // MARK: Addresses

  /// The address of a note's or photo's page.
  static func address(of display: String) -> String {
    let isPhoto = PictureFormat.named(PathText.name(display)) != nil
    return (isPhoto ? photos : notes) + PercentEncoding.encoded(String(display.dropFirst()), keepingSlashes: true)
  }

  /// The address of the page of a folder of notes.
  private static func address(ofFolder display: String) -> String {
    notes + (display.isEmpty ? "" : PercentEncoding.encoded(String(display.dropFirst()), keepingSlashes: true) + "/")
  }

  // MARK: Lists

  /// A file of the club that was found, and the page that shows it.
  struct Entry: Sendable {
    let name: String
    /// nil for a file that no page shows.
    let address: String?
    /// As text: who changed it, and when.
    let about: String
    /// A line of a note that a search found.
    var line: String?

    fileprivate var html: String {
      let name = "<bdi>\(HTMLText.name(name))</bdi>"
      let link = address.map { "<a href=\"\($0)\">\(name)</a>" } ?? name
      let found = line.map { "<br>\n<span class=\"found\" dir=\"auto\">\(HTMLText.escaped($0))</span>" } ?? ""
      return "<li>\(link) <span class=\"hint\">\(HTMLText.escaped(about))</span>\(found)</li>\n"
    }
  }

  static func list(_ entries: [Entry], else nothing: String) -> String {
    entries.isEmpty ? "<p>\(nothing)</p>\n" : "<ul class=\"list\">\n\(entries.map(\.html).joined())</ul>\n"
  }

  /// Links to the folders that a note or a folder of notes lies in.
  static func above(_ display: String) -> String {
    var (links, path) = (["<a href=\"\(notes)\">Notes</a>"], "")
    for part in PathText.parts(PathText.parent(display)) {
      path += "/" + part
      links.append("<a href=\"\(address(ofFolder: path))\"><bdi>\(HTMLText.name(part))</bdi></a>")
    }
    return "<p class=\"hint\">\(links.joined(separator: " / "))</p>\n"
  }

  /// The page of a folder of notes, without its frame.
  static func list(_ list: BrowserLists.NotesFolder, of folder: ServerNode) -> String {
    let name = folder.path.isRoot ? "Notes" : "<bdi>\(HTMLText.name(folder.name))</bdi>"
    let folders = list.folders.map { folder, count in
      let about = count.map { $0 == 1 ? "1 note" : "\($0) notes" } ?? "many notes"
      return Entry(name: folder.name + "/", address: address(ofFolder: folder.display), about: about)
    }
    let entries = folders + list.notes.map { BrowserLists.entry($0, isInFolder: true) }
    let rest = list.hasMore ? "<p class=\"hint\">There are more notes. byteclub shows all of them.</p>" : ""
    let nothing = folder.path.isRoot ? "There is no note yet." : "There is no note in this folder."
    return "\(folder.path.isRoot ? "" : above(folder.display))<h1>\(name)</h1>\n\(search(""))"
      + self.list(entries, else: nothing) + rest
  }

  static func about(_ node: ServerNode) -> String {
    let time = LinkPages.day(node.serverModified) + " " + LinkPages.minute(node.serverModified)
    return (node.author.map { $0.shownName + ", " } ?? "") + time
  }

  static func search(_ words: String) -> String {
    """
    <form method="get" action="\(notes)" role="search"><p class="search">
    <input type="search" name="q" value="\(HTMLText.escaped(words))" maxlength="200" aria-label="Words in notes">
    <button>Search</button></p></form>

    """
  }

  /// The filters of a search, or the reason why one was left out.
  static func about(_ query: NoteQuery) -> String {
    let isOfApp = query.terms.contains { $0.filter == .is }
    let problem = query.problem?.message ?? (isOfApp ? "is: finds in byteclub alone, and was left out here." : nil)
    if let problem { return "<p class=\"hint\" dir=\"auto\">\(HTMLText.escaped(problem))</p>\n" }
    return """
      <p class="hint">Also: "a phrase" -without tag:oslo in:trips since:7d before:2026-11 by:ann has:photo</p>

      """
  }

  static func list(_ found: BrowserLists.FoundNotes, of query: NoteQuery) -> String {
    let nothing = query.words.isEmpty ? "No note is found." : "No note has these words."
    let skipped = found.skipped == 1 ? "1 note was left out" : "\(found.skipped) notes were left out"
    let rest = "<p class=\"hint\">\(skipped): too long for a page, or no text. byteclub searches more.</p>\n"
    return list(found.entries, else: nothing) + (found.skipped == 0 ? "" : rest)
  }

  static func grid(_ photos: [ServerNode], older: Int64?) -> String {
    let cells = photos.map { photo in
      let (address, name) = (BrowserPages.address(of: photo.display), HTMLText.name(photo.name))
      return
        "<li><a href=\"\(address)\"><img src=\"\(address)?preview=small\" alt=\"\(name)\" loading=\"lazy\"></a></li>\n"
    }
    let more = older.map { "<p><a class=\"button\" href=\"\(self.photos)?before=\($0)\">Older photos</a></p>" } ?? ""
    let none = older == nil ? "<p>There is no photo.</p>" : ""
    return "<h1>Photos</h1>\n" + (cells.isEmpty ? none : "<ul class=\"grid\">\n\(cells.joined())</ul>\n") + more
  }

  // MARK: Forms

  /// The form of a remark; an answer names the remark that it answers.
  static func remarkForm(_ value: String, answer: (id: String, member: String)?) -> String {
    let target = answer.map { "<input type=\"hidden\" name=\"re\" value=\"\($0.id)\">\n" } ?? ""
    let title = answer.map { "An answer to <bdi>\(HTMLText.name($0.member))</bdi>" } ?? "A remark"
    return """
      <form method="post" id="say"><input type="hidden" name="form" value="\(value)">
      \(target)<p><label>\(title)<br>
      <textarea name="text" rows="4" maxlength="\(BrowserTalk.mostLetters)" required dir="auto"\(answer == nil ? "" : " autofocus")></textarea></label></p>
      <p><button>Send</button></p></form>
      """
  }

  static func bringForm(_ value: String) -> String {
    """
    <main><h1>Bring photos</h1>
    <form method="post" action="\(bring)?form=\(value)" enctype="multipart/form-data">
    \(DropPages.fields)
    </form>
    <p class="hint">JPEG, PNG, WebP, GIF, HEIC and AVIF pictures, up to 200 at once. They are kept as they are, with what the
    camera wrote into them, such as the place.</p></main>
    """
  }
}
