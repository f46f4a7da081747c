import FileStores
import TestKit
import Testing

@testable import Backends

/// The forms of the kinds, and what people type into them.
struct StoreFormTests {
  private static let kinds = StoreRegistry.standard.kinds

  private func completed(_ kind: String, _ options: [String: String]) throws -> StoreDescription {
    let form = try #require(try StoreRegistry.standard.kind(kind).form)
    return form.completed(StoreDescription(kind: kind, options: options))
  }

  @Test func `the kinds behind a network that members sign in to by themselves have forms`() {
    #expect(Self.kinds.filter { $0.form != nil }.map(\.name) == ["dropbox", "webdav", "s3"])
  }

  @Test func `every field is a setting of its kind, and no program or secret`() throws {
    for kind in Self.kinds {
      guard let form = kind.form else { continue }
      #expect(form.about.hasSuffix("."))
      for field in form.fields {
        let setting = try #require(kind.settings.first { $0.key == field.key }, "\(kind.name) \(field.key)")
        #expect(setting.value != .program && setting.value != .path && setting.value != .flag && !setting.isSecret)
      }
      let required = kind.settings.filter { $0.required != nil }.map(\.key)
      #expect(form.fields.filter { $0.use == .required }.map(\.key).filter(required.contains) == required)
      #expect(Set(form.fields.map(\.key)).count == form.fields.count)
    }
  }

  @Test(arguments: [
    ("cloud.example.org", "https://cloud.example.org/remote.php/dav/files/ann/ByteClub"),
    ("https://cloud.example.org/", "https://cloud.example.org/remote.php/dav/files/ann/ByteClub"),
    ("Https://Cloud.Example.org:443", "https://cloud.example.org/remote.php/dav/files/ann/ByteClub"),
    (
      "https://cloud.example.org/index.php/apps/files/files/7?dir=/Our%20Club&openfile=true",
      "https://cloud.example.org/remote.php/dav/files/ann/Our%20Club"
    ),
    ("https://h.example/cloud/apps/files/?dir=/", "https://h.example/cloud/remote.php/dav/files/ann/ByteClub"),
    ("https://h.example/apps/files/#top", "https://h.example/remote.php/dav/files/ann/ByteClub"),
    ("h.example:8443/dav/Our Club/", "https://h.example:8443/dav/Our%20Club"),
    ("https://h.example/dav/Clüb", "https://h.example/dav/Cl%C3%BCb"),
    ("https://h.example/remote.php/dav/files/{user}/Club", "https://h.example/remote.php/dav/files/ann/Club"),
    ("http://127.0.0.1:8080/club", "http://127.0.0.1:8080/club"),
    ("https://ann:pa55@h.example/d", "https://ann:pa55@h.example/d"),
  ])
  func `an address of WebDAV is taken as it was meant`(_ row: (typed: String, meant: String)) throws {
    let store = try completed("webdav", ["url": row.typed, "user": "ann"])
    #expect(store.options["url"] == row.meant)
    #expect(try completed("webdav", store.options).options == store.options, "a second time changes nothing")
  }

  @Test func `a name with a special character is escaped in a Nextcloud's address`() throws {
    let store = try completed("webdav", ["url": "c.example", "user": "ann@b.example"])
    #expect(store.options["url"] == "https://c.example/remote.php/dav/files/ann%40b.example/ByteClub")
  }

  @Test func `folders and endpoints are taken with or without slashes`() throws {
    for typed in ["ours", "/ours/", "ours/"] {
      #expect(try completed("s3", ["bucket": "b", "prefix": typed]).options["prefix"] == "ours/")
      #expect(try completed("dropbox", ["folder": typed]).options["folder"] == "/ours")
    }
    #expect(try completed("s3", ["endpoint": "s3.example.org/"]).options["endpoint"] == "https://s3.example.org")
    #expect(try completed("s3", ["endpoint": "", "bucket": "b"]).options == ["bucket": "b"])
    #expect(try completed("dropbox", ["folder": "/"]).options["folder"] == nil)
    #expect(try completed("s3", ["bucket": "b"]).options == ["bucket": "b"])
  }

  private static let page = "<html>Welcome</html>"
  private static func list(_ name: String) -> String { "<\(name)><Name>b</Name></\(name)>" }

  @Test(arguments: [
    (401, "", "asks for your password", false), (207, "<x/>", "without a password", false),
    (403, "", "to nobody without a sign-in", false), (404, "", "makes it after the sign-in", false),
    (503, "", "cannot work now", false), (200, page, "Something else than a WebDAV server answers at h.example", true),
    (405, "", "Something else", true), (501, "", "Something else", true), (511, page, "open a page in a browser", true),
    (302, "", "another address, which byteclub does not follow", true),
  ])
  func `a WebDAV server is known by its answer to a stranger`(
    _ row: (status: Int, body: String, words: String, isError: Bool)
  ) async throws {
    let transport = ScriptedTransport([
      .text(row.status, row.body, headers: ["Location": "https://evil.example/\u{1B}[2J"])
    ])
    let store = StoreDescription(kind: "webdav", options: ["url": "https://h.example/dav/club", "user": "ann"])
    let found = try await WebDAVForm().look(at: store, transport)
    #expect(found.count == 1 && found[0].sentence.contains(row.words), "\(found)")
    #expect(found[0].isError == row.isError && !found[0].sentence.contains("\u{1B}"))
    let sent = try #require(transport.recorded.first?.request)
    #expect(sent.method == .propfind && sent.url == "https://h.example/dav/club/")
    #expect(sent.headers["Authorization"] == nil && transport.recorded.count == 1)
  }

  @Test func `the address to which a WebDAV server leads is named`() async throws {
    let transport = ScriptedTransport([.text(301, "", headers: ["Location": "https://other.example/dav/"])])
    let store = StoreDescription(kind: "webdav", options: ["url": "https://h.example/dav/club", "user": "ann"])
    let found = try await WebDAVForm().look(at: store, transport)
    #expect(found.map(\.sentence).first?.contains("another address, https://other.example, which") == true, "\(found)")
  }

  @Test(arguments: [
    (403, "<Error><Code>AccessDenied</Code></Error>", "", "asks for your keys", false),
    (403, "", "", "your keys", false),
    (200, list("ListBucketResult"), "", "to everybody", false),
    (404, "<Error><Code>NoSuchBucket</Code></Error>", "", "s3.test has no bucket \"b\".", true),
    (301, "", "eu-central-1", "in the region eu-central-1.", true), (503, "", "", "cannot work now", false),
    (200, page, "", "Something else than an S3 server", true), (404, page, "", "Something else", true),
    (511, page, "", "open a page in a browser", true),
  ])
  func `an S3 server is known by its answer to a stranger`(
    _ row: (status: Int, body: String, region: String, words: String, isError: Bool)
  ) async throws {
    let headers: HTTPHeaders = row.region.isEmpty ? [:] : ["x-amz-bucket-region": row.region]
    let transport = ScriptedTransport([.text(row.status, row.body, headers: headers)])
    let store = StoreDescription(
      kind: "s3", options: ["endpoint": "https://s3.test", "bucket": "b", "accessKeyID": "AKIA"])
    let found = try await S3Form().look(at: store, transport)
    #expect(found.count == 1 && found[0].sentence.contains(row.words) && found[0].isError == row.isError, "\(found)")
    #expect(transport.recorded.map(\.request.url) == ["https://s3.test/b?list-type=2&max-keys=0"])
    #expect(transport.recorded[0].request.headers["Authorization"] == nil)
  }

  @Test func `a friend of a Nextcloud's member gets the address without the member's name`() throws {
    let store = StoreDescription(
      kind: "webdav", options: ["url": "https://c.example/remote.php/dav/files/ann/Our%20Club", "user": "ann"])
    let theirs = WebDAVForm().friends(store).store
    #expect(theirs.options["url"] == "https://c.example/remote.php/dav/files/{user}/Our%20Club")
    let ray = try completed("webdav", ["url": theirs.options["url"] ?? "", "user": "ray"])
    #expect(ray.options["url"] == "https://c.example/remote.php/dav/files/ray/Our%20Club")
    let other = StoreDescription(kind: "webdav", options: ["url": "https://h.example/ann/club", "user": "ann"])
    #expect(WebDAVForm().friends(other).store == other)
  }
}
