import FileStores
import TestKit
import Testing

@testable import Backends

/// Names of accounts that wrote files. The API puts only ids beside files.
@Suite struct DropboxAuthorTests {
  private static let ann = "dbid:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
  private static let bob = "dbid:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"

  private func file(_ path: String, by account: String) -> String {
    Dropbox.file(path).dropLast()
      + #","sharing_info":{"read_only":false,"parent_shared_folder_id":"1","modified_by":"\#(account)"}}"#
  }

  private func account(_ id: String, _ name: String) -> String {
    #"{"account_id":"\#(id)","name":{"display_name":"\#(name)"}}"#
  }

  private func names(_ scene: DropboxScene) async throws -> [String?] {
    try await scene.store.list(.root, ListOptions(.full), after: nil).entries.map(\.member)
  }

  @Test func `a listing asks once for all new accounts, and the next listing asks for none`() async throws {
    let page = Dropbox.page([
      file("/club/a", by: Self.ann), file("/club/b", by: Self.bob), file("/club/c", by: Self.ann),
      Dropbox.file("/club/d"),
    ])
    let accounts = "[\(account(Self.ann, "Ann Lee")),\(account(Self.bob, "Bob"))]"
    let scene = try DropboxScene([Dropbox.cursor, page, .text(200, accounts), page])
    #expect(try await names(scene) == ["Ann Lee", "Bob", "Ann Lee", nil])
    #expect(try await names(scene) == ["Ann Lee", "Bob", "Ann Lee", nil])
    #expect(scene.routes.filter { $0 == "users/get_account_batch" }.count == 1)
  }

  @Test func `an account that is gone has no name, and does not hide the others for ever`() async throws {
    let page = Dropbox.page([file("/club/a", by: Self.ann), file("/club/b", by: Self.bob)])
    let gone = #"{"error_summary":"no_account/..","error":{".tag":"no_account","no_account":"\#(Self.ann)"}}"#
    let scene = try DropboxScene([
      Dropbox.cursor, page, .text(409, gone), page, .text(200, "[\(account(Self.bob, "Bob"))]"), page,
    ])
    #expect(try await names(scene) == [nil, nil])
    #expect(try await names(scene) == [nil, "Bob"])
    #expect(try await names(scene) == [nil, "Bob"])
  }

  @Test(arguments: [401, 403, 500]) func `a server that refuses names fails no listing`(status: Int) async throws {
    let page = Dropbox.page([file("/club/a", by: Self.ann)])
    let refusal =
      #"{"error_summary":"missing_scope/..","error":{".tag":"missing_scope","required_scope":"sharing.read"}}"#
    let scene = try DropboxScene([Dropbox.cursor, page, .text(status, refusal), page, .text(status, refusal)])
    #expect(try await names(scene) == [nil])
    #expect(try await names(scene) == [nil])
    let asked = scene.routes.filter { $0 == "users/get_account_batch" }.count
    #expect(asked == (status == 500 ? 2 : 1))
  }
}
