import Backends
import Basics
import FileStores
import JSON
import TestKit

@testable import StoreServer

extension TestServer {
  /// A call of version 1 with a bearer token.
  func v1(
    _ method: String, _ target: String, _ parameters: [(String, String)] = [], body: [UInt8]? = nil,
    headers: [(String, String)] = []
  ) async throws -> Reply {
    try await v1Bare(method, target, parameters, body: body, headers: [("Authorization", "Bearer " + token)] + headers)
  }

  /// The same, by nobody. Parameters go into a form for POST without a body, else into the query.
  func v1Bare(
    _ method: String, _ target: String, _ parameters: [(String, String)] = [], body: [UInt8]? = nil,
    headers: [(String, String)] = []
  ) async throws -> Reply {
    let text = parameters.map { PercentEncoding.encoded($0.0) + "=" + PercentEncoding.encoded($0.1) }.joined(
      separator: "&")
    if method == "POST", body == nil {
      return try await client.request(
        method, "/1/" + target, headers + [("Content-Type", "application/x-www-form-urlencoded")], Array(text.utf8))
    }
    return try await client.request(
      method, "/1/" + target + (text.isEmpty ? "" : "?" + text), headers, body ?? [])
  }

  /// Writes a file, which must succeed; what the server says of it.
  @discardableResult
  func v1Put(_ path: String, _ text: String, _ parameters: [(String, String)] = []) async throws -> JSON {
    let reply = try await v1("PUT", "files_put/auto/" + path, parameters, body: Array(text.utf8))
    guard reply.status == 200 else { throw StoreError(.server, "\(reply.status): \(reply.text)") }
    return reply.json
  }

  /// What a file holds.
  func v1Text(_ path: String) async throws -> String { try await v1("GET", "files/auto/" + path).text }
}
