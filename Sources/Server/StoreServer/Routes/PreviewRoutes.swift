import Database
import FileStores
import HTTPTypes
import Hummingbird
import JSON
import Markdown

extension RouteTable {
  static let previewRoutes: [Route] = [
    Route("/2/files/get_preview", .download, .member(scope: "files.content.read"), preview)
  ]

  private static let largestTable: UInt64 = 4 << 20

  /// A table as a page. The server has no office programs for other files.
  @Sendable private static func preview(_ call: Call) async throws -> Response {
    let path = try call.path(.reading)
    let file = try await call.file(try call.argument.rev("rev").map(ClubPath.rev) ?? path)
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
    headers[.apiResult] = JSON.metadata(file, tagged: false).spacedASCII
    // A member's text must stay text wherever the page is shown.
    headers.set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    return Response(status: .ok, headers: headers, body: .pieces(page))
  }
}

/// RFC 4180.
struct CSVTable {
  private(set) var rows: [[String]] = []

  init(_ text: String) {
    var (row, field, isQuoted): ([String], [UInt8], Bool) = ([], [], false)
    func take(_ field: inout [UInt8]) -> String {
      defer { field = [] }
      return String(decoding: field, as: UTF8.self)
    }
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\"") where isQuoted && rest.first == UInt8(ascii: "\""):
        field.append(byte)
        rest = rest.dropFirst()
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted: row.append(take(&field))
      case UInt8(ascii: "\n") where !isQuoted:
        if field.last == UInt8(ascii: "\r") { field.removeLast() }
        rows.append(row + [take(&field)])
        row = []
      default: field.append(byte)
      }
    }
    if !field.isEmpty || !row.isEmpty { rows.append(row + [take(&field)]) }
  }

  func page(title: String) -> String {
    var page = """
      <!DOCTYPE html>
      <html><head><meta charset="utf-8"><title>\(HTMLText.escaped(title))</title>
      <style>table{border-collapse:collapse}td{border:1px solid #999;padding:.2em .5em}</style></head><body><table>

      """
    for row in rows {
      page += "<tr>" + row.map { "<td>\(HTMLText.escaped($0))</td>" }.joined() + "</tr>\n"
    }
    return page + "</table></body></html>\n"
  }
}
