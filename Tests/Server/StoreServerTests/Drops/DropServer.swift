import FileStores
import JSON
import Testing

@testable import StoreServer

/// A part of a form.
struct FormPart: Sendable {
  var name = "pictures"
  var file: String?
  let bytes: [UInt8]

  static func field(_ name: String, _ text: String) -> FormPart { FormPart(name: name, bytes: Array(text.utf8)) }

  /// A JPEG for whoever looks at its first bytes.
  static func picture(_ file: String, _ text: String = "", size: Int = 16) -> FormPart {
    let begin = [0xFF, 0xD8, 0xFF, 0xE0] + Array(text.utf8)
    return FormPart(file: file, bytes: begin + [UInt8](repeating: 7, count: max(0, size - begin.count)))
  }
}

extension TestServer {
  /// Makes a drop page, which must succeed, and returns its address.
  func dropPage(_ argument: JSON = ["path": "/in"], token: String? = nil) async throws -> String {
    let reply = try await call("byteclub/drop_page", argument, token: token)
    try #require(reply.status == 200, "\(reply.text)")
    return try #require(reply.json["url"]?.string)
  }

  static func form(_ parts: [FormPart]) -> [UInt8] {
    var body: [UInt8] = []
    for part in parts {
      let file = part.file.map { "; filename=\"\($0)\"" } ?? ""
      body += Array("--x\r\nContent-Disposition: form-data; name=\"\(part.name)\"\(file)\r\n\r\n".utf8)
      body += part.bytes + Array("\r\n".utf8)
    }
    return body + Array("--x--\r\n".utf8)
  }

  static let formType = ("Content-Type", "multipart/form-data; boundary=x")

  /// Sends a form to a drop page.
  func drop(_ url: String, _ parts: [FormPart]) async throws -> Reply {
    try await client.request("POST", path(url), [Self.formType], Self.form(parts))
  }

  /// The name that members see as the author of a file's version.
  func shownAuthor(_ path: String) async throws -> String? {
    let file = try await call("files/get_metadata", ["path": .string(path)]).json
    let account = file.at("sharing_info", "modified_by")
    let accounts = try await call("users/get_account_batch", ["account_ids": .array([account])])
    guard case .array(let all) = accounts.json else { return nil }
    return all.first?.at("name", "display_name").string
  }
}
