import FileStores
import Foundation
import JSON
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// The packages that a server hands out to everybody.
@Suite(.serialized, .timeLimit(.minutes(5))) struct GetTests {
  private static let gone = Array(LinkPages.gone.html.utf8)
  private static let package = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  private func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// A server that hands out one package, and the folder of its packages.
  private func withPackages(
    isProven: Bool = true, tune: (inout ServerOptions) -> Void = { _ in },
    _ body: (_ server: TestServer, _ folder: String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { place in
      let folder = place + "/packages"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try write(Self.package, to: folder + "/byteclub_1_amd64.deb")
      let packages = try PackageFolder(folder, isProven: isProven)
      try await withServer(tune: { options in
        options.packages = packages
        tune(&options)
      }) { server in try await body(server, folder) }
    }
  }

  private func get(_ server: TestServer, _ path: String, _ headers: [(String, String)] = []) async throws -> Reply {
    try await server.client.request("GET", path, headers)
  }

  @Test("The page lists the files that are there now, with their sizes and the sums of SHA256SUMS")
  func list() async throws {
    try await withPackages { server, folder in
      let before = try await get(server, "/get/")
      #expect(before.status == 200 && before.text.contains("href=\"/get/byteclub_1_amd64.deb\""))
      #expect(before.text.contains("98 KiB") && !before.text.contains("SHA-256"))
      #expect(before.headers["content-type"] == "text/html; charset=utf-8")
      #expect(before.headers["content-security-policy"]?.hasPrefix("default-src 'none'; img-src 'self'; style") == true)
      #expect(before.headers["cache-control"] == "no-store" && before.headers["x-content-type-options"] == "nosniff")
      #expect(!before.text.contains("<script") && !before.text.contains("cannot prove"))
      let (sum, other) = (String(repeating: "aB", count: 32), String(repeating: "c", count: 64))
      try write(
        "\(sum)  byteclub_1_amd64.deb\nnonsense\n\(other) *byteclub-1.tar.xz\n".utf8, to: folder + "/SHA256SUMS")
      try write([], to: folder + "/byteclub-1.tar.xz")
      try write([1], to: folder + "/notes.txt")
      let after = try await get(server, "/get")
      #expect(after.text.contains("SHA-256: <code>\(sum.lowercased())</code>") && after.text.contains(other))
      #expect(after.text.contains("/get/SHA256SUMS\"") && after.text.contains("0 bytes"))
      #expect(!after.text.contains("notes.txt"))
    }
  }

  @Test("A list has a hundred files at most")
  func most() async throws {
    try await withPackages { server, folder in
      for number in 0..<120 { try write([], to: folder + "/a\(number).deb") }
      #expect(try await get(server, "/get/").text.components(separatedBy: "<li>").count == 101)
    }
  }

  @Test("A file comes byte by byte, as a download that no browser runs; also a part of it, and to several at once")
  func file() async throws {
    try await withPackages { server, _ in
      let path = "/get/byteclub_1_amd64.deb"
      let reply = try await get(server, path)
      #expect(reply.status == 200 && reply.body == Self.package)
      #expect(reply.headers["content-type"] == "application/octet-stream")
      #expect(reply.headers["content-length"] == "100000")
      #expect(reply.headers["content-disposition"]?.hasPrefix("attachment; filename=\"byteclub_1_amd64.deb\"") == true)
      #expect(reply.headers["x-content-type-options"] == "nosniff")
      #expect(reply.headers["content-security-policy"] == "default-src 'none'; sandbox")
      let head = try await server.client.request("HEAD", path)
      #expect(head.status == 200 && head.body.isEmpty && head.headers["content-length"] == "100000")
      let part = try await get(server, path, [("Range", "bytes=70000-99998")])
      #expect(part.status == 206 && part.body == Array(Self.package[70000...99998]))
      let known = try await get(server, path, [("If-None-Match", reply.headers["etag"] ?? "")])
      #expect(known.status == 304)
      try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<8 { group.addTask { try await get(server, path).body } }
        for try await body in group { #expect(body == Self.package) }
      }
    }
  }

  @Test("A new version of a file is another file for those who know the old one")
  func replaced() async throws {
    try await withPackages { server, folder in
      let path = "/get/byteclub_1_amd64.deb"
      let tag = try await get(server, path).headers["etag"] ?? ""
      try replaceFile(folder + "/byteclub_1_amd64.deb", with: [1, 2, 3])
      #expect(try await get(server, path, [("If-None-Match", tag)]).body == [1, 2, 3])
    }
  }

  @Test("Everything else below the address gets the page of all failures")
  func others() async throws {
    try await withPackages { server, folder in
      let place = folder + "/.."
      try write([1], to: place + "/secret.deb")
      try write([1], to: folder + "/.hidden.deb")
      try write([1], to: folder + "/notes.txt")
      try write([1], to: folder + "/a b.deb")
      try FileManager.default.createDirectory(atPath: folder + "/folder.deb", withIntermediateDirectories: false)
      try write([1], to: folder + "/folder.deb/inner.deb")
      try FileManager.default.createSymbolicLink(atPath: folder + "/link.deb", withDestinationPath: "../secret.deb")
      try #require(mkfifo(folder + "/pipe.deb", 0o600) == 0)
      let long = [300, 5000].map { String(repeating: "a", count: $0) + ".deb" }
      for name in [
        "..", "../secret.deb", "%2e%2e/secret.deb", "%2E%2E%2Fsecret.deb", "..%2Fsecret.deb", "..%5csecret.deb",
        "byteclub_1_amd64.deb%00", "x%00byteclub_1_amd64.deb", "byteclub_1_amd64.deb/", "./byteclub_1_amd64.deb",
        "/byteclub_1_amd64.deb", "byteclub_1_amd64%2edeb", ".hidden.deb", "notes.txt", "a%20b.deb", "folder.deb",
        "folder.deb/inner.deb", "folder.deb%2finner.deb", "link.deb", "pipe.deb", "missing.deb", "SHA256SUMS", ".deb",
      ] + long {
        let reply = try await get(server, "/get/" + name)
        #expect(reply.status == 404 && reply.body == Self.gone, "\(name.prefix(40)): \(reply.status)")
        #expect(try await server.client.request("HEAD", "/get/" + name).status == 404, "\(name.prefix(40))")
      }
      let posted = try await server.client.request("POST", "/get/byteclub_1_amd64.deb")
      #expect(posted.status == 404 && posted.body == Self.gone)
      #expect(try await get(server, "/get/").text.components(separatedBy: "<li>").count == 2)
    }
  }

  @Test("Without the option there is nothing, and the page of invitations is as ever")
  func off() async throws {
    try await withServer { server in
      for path in ["/get", "/get/", "/get/byteclub_1_amd64.deb", "/get/SHA256SUMS"] {
        let reply = try await get(server, path)
        #expect(reply.status == 404 && reply.body == Self.gone, "\(path)")
      }
      #expect(try await get(server, "/join").text == JoinPage.page.html)
      #expect(!JoinPage.page.html.contains("/get/"))
    }
  }

  @Test("A stranger, a reader and a member get the same, and the log names no file")
  func everybody() async throws {
    let calls = Mutex<Set<String>>([])
    try await withPackages(tune: { options in
      options.writeAccess = { record, _ in calls.withLock { _ = $0.insert(record.call) } }
    }) { server, _ in
      let code = try JoinCodes(server.members).invite("ben", seconds: 60, isReader: true).code
      let reader = try #require(try await server.join(code).json["access_token"]?.string)
      calls.withLock { $0 = [] }
      for path in ["/get/", "/get/byteclub_1_amd64.deb", "/get/missing.deb"] {
        let stranger = try await get(server, path)
        for token in [server.token, reader, "wrong"] {
          let reply = try await get(server, path, [("Authorization", "Bearer " + token)])
          #expect(reply.status == stranger.status && reply.body == stranger.body, "\(path)")
        }
      }
      #expect(calls.withLock { $0 } == ["/get/"])
    }
  }

  @Test("Who does not take a package is cut off, and makes room for others")
  func stalled() async throws {
    try await withPackages(tune: { ($0.connections, $0.slowestPieceSeconds) = (1, 1) }) { server, folder in
      let size = 48 << 20
      try Data(count: size).write(to: URL(fileURLWithPath: folder + "/large.deb"))
      let idle = try Connection(port: server.client.port, receiving: 4096)
      try await idle.send("GET /get/large.deb HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try await idle.receive(12) == Array("HTTP/1.1 200".utf8))
      #expect(try await get(server, "/get/byteclub_1_amd64.deb").body == Self.package)
      let got = try await idle.rest()
      #expect(got.count > 100 && got.count < size)
    }
  }

  @Test("The page of invitations names the files to get, by the address that the friend used")
  func join() async throws {
    try await withPackages { server, folder in
      try write([], to: folder + "/byteclub-1-linux-x86_64.tar.xz")
      try write([], to: folder + "/byteclub-serve_1_amd64.deb")
      let page = try await get(server, "/join").text
      let address = "http://127.0.0.1:\(server.client.port)/get/"
      #expect(page.contains("Get byteclub from this server: <a href=\"/get/\">/get/</a>"))
      #expect(
        page.contains(
          ">curl -fLO \(address)byteclub_1_amd64.deb &amp;&amp; sudo apt install ./byteclub_1_amd64.deb</code>"))
      #expect(
        page.contains(
          ">curl -fLO \(address)byteclub-1-linux-x86_64.tar.xz &amp;&amp; tar -xf byteclub-1-linux-x86_64.tar.xz</code>"
        ))
      #expect(!page.contains("cannot prove") && page.contains("byteclub join 'ADDRESS'"))
      try FileManager.default.removeItem(atPath: folder)
      let later = try await get(server, "/join")
      #expect(later.status == 200 && later.text.contains("sudo apt install ./byteclub_*.deb"))
    }
  }

  @Test("With a key of its own the server promises nothing, and gives no command that gets a file")
  func unproven() async throws {
    try await withPackages(isProven: false) { server, _ in
      for path in ["/join", "/get/"] {
        let page = try await get(server, path).text
        #expect(page.contains("cannot prove") && page.contains("/get/") && !page.contains("curl"), "\(path)")
      }
    }
  }

  @Test("The newest package counts, for amd64 if there is one, and never the server's")
  func newest() {
    func packages(_ names: [String]) -> [PackageFolder.Package] {
      names.enumerated().map { PackageFolder.Package(name: $1, size: 0, changed: Int64($0), sum: nil) }
    }
    let all = packages([
      "byteclub_2_amd64.deb", "byteclub_10_amd64.deb", "byteclub_11_arm64.deb", "byteclub-serve_12_amd64.deb",
      "byteclub-2.tar.gz", "other-3.tar.gz",
    ])
    #expect(all.debian == "byteclub_10_amd64.deb" && all.tarball == "byteclub-2.tar.gz")
    #expect(packages(["byteclub_1_arm64.deb", "byteclub-serve_1_amd64.deb"]).debian == "byteclub_1_arm64.deb")
    #expect(packages(["SHA256SUMS"]).debian == nil && packages(["SHA256SUMS"]).tarball == nil)
  }

  @Test("What is no folder is refused, with its name and the reason")
  func noFolder() async throws {
    try await withTemporaryFolder { place in
      try write([], to: place + "/file")
      for name in ["/missing", "/file"] {
        let error = #expect(throws: StoreError.self) { _ = try PackageFolder(place + name, isProven: true) }
        #expect(error?.message.contains(place + name) == true && error?.remedy.contains("--get DIR") == true)
      }
      #expect(throws: StoreError.self) { _ = try PackageFolder("", isProven: true) }
    }
  }
}
