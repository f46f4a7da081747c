/// The page that an invitation leads to in a browser. The code stands behind `#`, which browsers keep to themselves, so
/// the server cannot know it, and the page is the same for everybody.
enum JoinPage {
  static let page = page(getting: nil, from: "")

  /// - Parameters:
  ///   - offer: the packages of this server; nil if it hands out none.
  ///   - origin: this server's scheme and host.
  ///   - form: by which a browser gets in, as HTML; nil if none does.
  static func page(
    getting offer: (packages: [PackageFolder.Package], isProven: Bool)?, from origin: String, form: String? = nil
  ) -> Page {
    var source = "Get byteclub from whoever invited you, or from where they say, and install it:"
    var (debian, tarball) = ("sudo apt install ./byteclub_*.deb", "")
    if let offer {
      source = "Get byteclub from this server: <a href=\"\(GetPage.path)\">\(GetPage.path)</a>"
      if !offer.isProven { source += GetPage.unproven }
      // A command that gets and installs a file is safe only if it checks the server.
      func line(_ file: String, _ then: String) -> String {
        "curl -fLO \(origin)\(GetPage.path)\(file) &amp;&amp; \(then)\(file)"
      }
      if offer.isProven, let file = offer.packages.debian { debian = line(file, "sudo apt install ./") }
      if offer.isProven, let file = offer.packages.tarball {
        tarball = ":\n<pre><code>\(line(file, "tar -xf "))</code></pre>\nand then"
      }
    }
    let here = form.map { "<h2>In this browser</h2>\n\($0)\n<h2>In a terminal</h2>\n" } ?? ""
    var page = Page(
      title: "You are invited",
      body: """
        <main><h1>You are invited to a byteclub</h1>
        <p>A club of members who share notes and photos. byteclub is a program for the terminal of Linux.</p>
        \(here)<ol>
        <li>\(source)
        <ul>
        <li>Debian, Ubuntu and their kin:
        <pre><code>\(debian)</code></pre></li>
        <li>any other Linux\(tarball), in the folder of the unpacked tarball:
        <pre><code>./install.sh</code></pre></li>
        </ul></li>
        <li>Copy the whole address of this page, with all that stands behind the <code>#</code>, and run this line with it
        between the quotes:
        <pre><code>byteclub join 'ADDRESS'</code></pre></li>
        </ol>
        <p class="hint">The address lets one person in, once, so keep it to yourself. If it was used already, or is too
        old, ask for a new one. Your next device needs no invitation: run <code>byteclub device add</code>.</p></main>
        """)
    page.namesOrigin = form != nil
    return page
  }
}
