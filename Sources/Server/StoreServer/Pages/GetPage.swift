import Basics
import FileStores
import HTTPTypes
import Hummingbird

/// The packages of byteclub that this server hands out, and one of them.
extension RouteTable {
  static let getRoutes: [Route] = ["/get", GetPage.path].map {
    Route($0, .page, .everyone(because: "it hands out the program itself, and tells nothing about the club"), get)
  }

  /// Every failure gets the same page.
  @Sendable private static func get(_ call: Call) async throws -> Response {
    guard let folder = call.club.shared.packages, call.head.method != .post else {
      return LinkPages.gone.response(.notFound)
    }
    let (pool, name) = (call.club.index.pool, String(call.head.barePath.dropFirst(GetPage.path.count)))
    if name.isEmpty {
      let packages = try await pool.run { () throws(StoreError) in try folder.list() }
      return GetPage.page(packages, isProven: folder.isProven).response()
    }
    guard let (package, file) = try await pool.run({ () throws(StoreError) in try folder.open(name) }) else {
      return LinkPages.gone.response(.notFound)
    }
    // As for links: a visitor stays a stranger, who gets the small pace.
    var response = Served(
      metadata: nil, tag: "\(package.changed)-\(package.size)", size: package.size, type: nil, name: package.name
    ).response(call.head) { start, pace, receive in
      var offset = start
      while true {
        let at = offset
        let bytes = try await pool.run { () throws(StoreError) in
          try folder.read(file, from: at, count: pace.chunkBytes ?? 512 << 10)
        }
        guard !bytes.isEmpty, try await receive(bytes[...]) else { return }
        offset += UInt64(bytes.count)
      }
    }
    Page.sealFile(&response.headers)
    return response
  }
}

enum GetPage {
  static let path = "/get/"

  /// Without a certificate of an authority. The page comes over the same connection, so it cannot be the proof.
  static let unproven = """

    <p class="note">Your browser cannot prove that a download is what the owner of this server chose. Ask them for their
    SHA256SUMS by another way, and compare it before you install anything.</p>
    """

  static func page(_ packages: [PackageFolder.Package], isProven: Bool) -> Page {
    let rows = packages.map { package in
      "<li><a href=\"\(path)\(package.name)\">\(package.name)</a> "
        + "<span class=\"hint\">\(LinkPages.words(bytes: package.size))</span>"
        + (package.sum.map { "<br>\nSHA-256: <code>\($0)</code>" } ?? "") + "</li>\n"
    }
    return Page(
      title: "Get byteclub",
      body: """
        <main><h1>Get byteclub</h1>
        <p>byteclub is a program for the terminal of Linux.</p>
        \(rows.isEmpty ? "<p>There is no file yet.</p>" : "<ul>\n\(rows.joined())</ul>")\(isProven ? "" : unproven)
        </main>
        """)
  }
}
