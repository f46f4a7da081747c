import Database
import FileStores
import HTTPTypes
import Hummingbird
import JSON
import NIOCore

extension RouteTable {
  static let previewRoutes: [Route] = [
    Route("/2/files/get_preview", .download, .member(scope: "files.content.read"), preview)
  ]

  /// A larger table is nothing that anybody looks through in a preview.
  private static let largestTable: UInt64 = 4 << 20

  /// A table as a page. Of other files this server makes none: it has no office programs.
  @Sendable private static func preview(_ call: Call) async throws -> Response {
    let path: ClubPath
    if let rev = try call.argument.optionalString("rev"), let number = Rev.number(rev) {
      path = .rev(number)
    } else {
      path = try call.path(.reading)
    }
    let file = try await call.file(path)
    guard file.key.hasSuffix(".csv") else { throw APIFailure.route(Tagged("unsupported_extension")) }
    guard file.size <= largestTable else { throw APIFailure.route(Tagged("unsupported_content")) }
    let bytes = try await call.club.index.store.readAll(
      file.path, ifRevision: file.storeRevision, limit: Int(largestTable)
    ).bytes
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw APIFailure.route(Tagged("unsupported_content"))
    }
    let page = CSVTable(text).page(title: file.name)
    var headers: HTTPFields = [
      .contentType: "text/html; charset=utf-8", .contentLength: String(page.utf8.count),
    ]
    headers[.apiResult] = try await call.metadata(file, tagged: false).spacedASCII
    // What a member wrote is only text here, and is to stay that wherever the page is shown.
    headers.set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    return Response(status: .ok, headers: headers, body: .pieces(page))
  }
}
