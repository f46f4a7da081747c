import Foundation
import POSIX
import TestKit
import Testing
import TextUI

/// The server as a service manager runs it: its messages, its reload, its log, its health.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil)) struct ServiceTests {
  /// The socket of a service manager, by a path or an abstract name (`@…`).
  private final class Manager {
    private let socket: Int32

    init(_ name: String) throws {
      socket = POSIX.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = name.hasPrefix("@") ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
      let code = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
      }
      try #require(code == 0, "bind: \(errno)")
    }

    deinit { close(socket) }

    /// The next message; nil after three minutes without one.
    func next() -> String? {
      guard waitForInput(socket, milliseconds: 180_000) else { return nil }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(socket, &buffer, buffer.count, 0)
      return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    }

    var hasNone: Bool { !waitForInput(socket, milliseconds: 0) }
  }

  private static func certificate(_ name: String, in home: CommandLineHome) throws {
    let made = try Spawn(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
        "/CN=\(name)", "-keyout", home.path + "/key.pem", "-out", home.path + "/cert.pem",
      ], environment: ["PATH": "/usr/bin:/bin"]
    ).finish()
    try #require(made.status == 0, "\(made.said)")
  }

  private static func seen(_ port: String) throws -> String {
    try Spawn(
      "/usr/bin/openssl", ["s_client", "-connect", "127.0.0.1:\(port)"], environment: ["PATH": "/usr/bin:/bin"]
    ).finish().text
  }

  @Test(arguments: [false, true])
  func `a service manager learns that the server is ready, reads its certificate again, and stops`(
    isAbstract: Bool
  ) throws {
    let home = try CommandLineHome()
    try Self.certificate("old", in: home)
    let name = isAbstract ? "@byteclub-test-\(getpid())-\(UInt64.random(in: 0..<(.max)))" : home.path + "/notify"
    let manager = try Manager(name)
    let server = try RunningServer(
      ["--tls-cert", home.path + "/cert.pem", "--tls-key", home.path + "/key.pem"], in: home,
      variables: ["NOTIFY_SOCKET": name])
    #expect(manager.next() == "READY=1\nSTATUS=Serving.")
    #expect(try Self.seen(server.port).contains("CN = old"))
    try Self.certificate("new", in: home)
    server.process.signal(SIGHUP)
    let reloading = try #require(manager.next()).split(separator: "\n")
    #expect(reloading.first == "RELOADING=1" && reloading.count == 3)
    #expect(UInt64(reloading[1].dropFirst("MONOTONIC_USEC=".count)) ?? 0 > 0)
    #expect(manager.next() == "READY=1\nSTATUS=Serving.")
    #expect(try Self.seen(server.port).contains("CN = new"))
    try home.write("broken".utf8, to: "cert.pem")
    server.process.signal(SIGHUP)
    #expect(manager.next()?.hasPrefix("RELOADING=1\n") == true)
    #expect(manager.next()?.hasPrefix("READY=1\n") == true)
    #expect(try Self.seen(server.port).contains("CN = new"))
    #expect(manager.hasNone)
    let end = try server.finish()
    #expect(end.status == 0)
    #expect(manager.next()?.hasPrefix("STOPPING=1\n") == true)
    #expect(end.said.contains("The certificate was read again."))
    #expect(
      end.said.contains("The new certificate cannot be used, so the old one stays") && end.said.contains("cert.pem"))
  }

  @Test func `the log names a service manager's socket that is gone or nonsense, and the server goes on`()
    throws
  {
    for (socket, words) in [("/nowhere/notify", "did not take \"READY=1\""), ("vsock:1:2", "NOTIFY_SOCKET is")] {
      let server = try RunningServer(in: try CommandLineHome(), variables: ["NOTIFY_SOCKET": socket])
      let token = try server.admit("ann")
      #expect(try server.upload("/a", "x", token: token).status == "200")
      #expect(try server.finish().said.contains(words), "\(socket)")
    }
  }

  @Test func `a terminal that closes ends a server without a certificate, as ever`() throws {
    let server = try RunningServer(in: try CommandLineHome())
    server.process.signal(SIGHUP)
    #expect(try server.process.finish().status == 128 + SIGHUP)
  }

  @Test func `a terminal that closes ends a server with a certificate, too, which the signal alone does not`() throws {
    let home = try CommandLineHome()
    try Self.certificate("club", in: home)
    try home.write([], to: "club/.keep")
    var environment = home.environment
    environment["TERM"] = "xterm-256color"
    let session = try PtySession(
      try #require(CommandLineHome.binary),
      [
        "serve", "--root", home.path + "/club", "--listen", "127.0.0.1:0", "--tls-cert", home.path + "/cert.pem",
        "--tls-key", home.path + "/key.pem",
      ], size: Size(200, 40), environment: environment, workingDirectory: home.path)
    try session.wait(for: "listening on 127.0.0.1:")
    session.signal(SIGHUP)
    try session.wait(for: "The certificate was read again.")
    session.hangUp()
    #expect(try session.waitExit() == .exited(0))
  }

  @Test func `each line of the JSON log is one object, whatever names, addresses and methods say`() throws {
    let home = try CommandLineHome()
    let hostile = "an\"n\\ \u{202E}{\"x\":1}"
    let server = try RunningServer(["--log-format", "json", "--behind-proxy", "127.0.0.1"], in: home)
    let refused = try server.manage("member", "add", hostile)
    #expect(refused.status == 1, "a name with a mark that turns the text around")
    let token = try server.admit("an\"n\\ {\"x\":1}")
    let address = "http://127.0.0.1:\(server.port)"
    #expect(try server.upload("/file \"of\" {ann}\\\u{7}\n.txt", "0123456789", token: token).status == "409")
    #expect(try server.upload("/secret name.txt", "0123456789", token: token).status == "200")
    _ = try server.curl([
      "-H", "X-Forwarded-For: 203.0.113.7\", \"x\": \"", "-H", "Authorization: Bearer \(token)", "-X", "PATCH",
      address + "/2/files/upload?secret=1",
    ])
    _ = try server.curl(["-g", "-H", "X-Forwarded-For: 203.0.113.9", address + "/nothing/\"}{\"?token=" + token])
    _ = try server.curl([
      "-H", "X-Forwarded-For: 2001:db8::1", "-H", "Authorization: Bearer bc.x.y", address + "/1/account/info",
    ])
    let end = try server.finish()
    let lines = end.said.split(separator: "\n").filter {
      !$0.hasPrefix("This club") && !$0.hasPrefix("Serving. ") && !$0.hasPrefix("Members use")
    }
    var records: [[String: Any]] = []
    for line in lines {
      let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let record = try #require(json, "\(line)")
      #expect(record["time"] is String && record["level"] is String && record["message"] is String, "\(line)")
      records.append(record)
    }
    let requests = records.filter { $0["call"] != nil }
    #expect(requests.count == 5)
    let upload = try #require(requests.first { $0["status"] as? Int == 200 })
    #expect(upload["member"] as? String == "an\"n\\ {\"x\":1}" && upload["club"] as? String == "club")
    #expect(upload["method"] as? String == "POST" && upload["call"] as? String == "/2/files/upload")
    #expect(upload["bytesIn"] as? Int == 10 && upload["bytesOut"] as? Int ?? 0 > 100)
    #expect(upload["client"] as? String == "127.0.0.1" && upload["milliseconds"] is Int)
    #expect((upload["request"] as? String)?.isEmpty == false)
    #expect(requests.contains { $0["client"] as? String == "203.0.113.9" && $0["call"] as? String == "(unknown)" })
    #expect(requests.contains { $0["client"] as? String == "2001:db8::1" && $0["member"] is NSNull })
    for secret in [token, "secret"] { #expect(!end.said.contains(secret)) }
  }

  @Test func `the text log keeps one line a record when a file's name has line ends`() throws {
    let home = try CommandLineHome()
    let server = try RunningServer(["--keep-file", "0"], in: home)
    let token = try server.admit("ann")
    let forged = "a\n2026-01-01T00:00:00+0000 info serve: forged.txt"
    // The error names the file whose version cannot be kept: the folder of versions is no folder any more.
    let versions = try #require(home.files(ending: "/versions").first)
    try FileManager.default.removeItem(atPath: home.path + "/" + versions)
    try home.write("no folder".utf8, to: versions)
    try home.write("x".utf8, to: "club/" + forged)
    let listed = try server.curl([
      "-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/json", "-d", #"{"path":""}"#,
      "http://127.0.0.1:\(server.port)/2/files/list_folder",
    ])
    #expect(listed.status == "200")
    try server.process.wait(forNotice: "forged.txt")
    #expect(!(try server.finish().said.contains("\n2026-01-01T00:00:00")))
  }

  @Test func `health and metrics have a listener of their own, which needs leave to listen beyond this machine`() throws
  {
    let home = try CommandLineHome()
    let server = try RunningServer(["--listen-metrics", "127.0.0.1:0", "--quota", "1M"], in: home)
    let address = "http://127.0.0.1:\(server.metrics)"
    #expect(try server.curl([address + "/healthz"]) == ("ok\n", "200"))
    let token = try server.admit("ann")
    #expect(try server.upload("/a", "0123456789", token: token).status == "200")
    let page = try server.curl([address + "/metrics"]).body
    #expect(page.contains("byteclub_storage_quota_bytes{club=\"club\"} 1048576\n"))
    #expect(page.contains("byteclub_storage_used_bytes{club=\"club\"} 10\n"))
    #expect(page.contains("byteclub_build_info{version=\"0.1.0\"} 1\n"), "\(page.prefix(200))")
    #expect(try home.start(["--version"]).finish().text.contains("0.1.0"))
    try FileManager.default.moveItem(atPath: home.path + "/club", toPath: home.path + "/away")
    let gone = try server.curl([address + "/healthz"])
    #expect(gone.status == "503" && gone.body.contains("No such file or directory"), "\(gone)")
    try FileManager.default.moveItem(atPath: home.path + "/away", toPath: home.path + "/club")
    try FileManager.default.createDirectory(atPath: home.path + "/other", withIntermediateDirectories: false)
    let taken = try home.run(
      "serve", "--root", home.path + "/other", "--listen", "127.0.0.1:0", "--listen-metrics",
      "127.0.0.1:\(server.metrics)")
    #expect(
      taken.status == 1 && taken.said.contains("is in use. Stop the other program or choose another --listen-metrics."),
      "\(taken.said)")
    let open = try home.run(
      "serve", "--root", home.path + "/other", "--listen", "127.0.0.1:0", "--listen-metrics", "0.0.0.0:0")
    #expect(open.status == 7 && open.said.contains("could read the metrics"))
  }

  @Test func `the filter for fail2ban finds clients with wrong tokens and codes in the log, and nobody else`() throws {
    let home = try CommandLineHome()
    let server = try RunningServer(in: home)
    let address = "http://127.0.0.1:\(server.port)"
    let token = try server.admit("ann")
    #expect(try server.upload("/a", "x", token: token).status == "200")
    #expect(try server.upload("/a", "x", token: "bc.wrong.token").status == "401")
    let code = String(repeating: "A", count: 22)
    let join = try server.curl([
      "-H", "Content-Type: application/json", "-d", #"{"code":"\#(code)","device":"\#(code)"}"#,
      address + "/2/byteclub/join",
    ])
    #expect(join.status == "403")
    #expect(try server.curl([address + "/healthz"]).status == "200")
    let forged = "2026-01-01T00:00:00+0000 warning serve: \"x info serve: hb.request.id=1 9.9.9.9 - GET / 401 1 ms"
    let lines = try server.finish().said.split(separator: "\n").map(String.init) + [forged]
    let filter = try RepositoryFile.text("packaging/fail2ban/byteclub-serve.conf").split(separator: "\n")
    let line = try #require(filter.first { $0.hasPrefix("failregex = ") })
    let pattern = try Regex(String(line.dropFirst("failregex = ".count)).replacing("<ADDR>", with: "(\\S+)"))
    for prefix in ["", "den byteclub-serve[12]: "] {
      let found = try lines.compactMap { try pattern.firstMatch(in: prefix + $0)?.output[1].substring }
      #expect(found == ["127.0.0.1", "127.0.0.1"], "\(lines)")
    }
  }

  @Test func `a folder of packages that is none is wrong usage`() throws {
    let home = try CommandLineHome()
    let run = try home.run(
      "serve", "--root", home.path + "/club", "--listen", "127.0.0.1:0", "--get", home.path + "/nothing")
    #expect(run.status == 2 && run.said.contains("/nothing\" cannot be read: No such file"), "\(run.said)")
  }
}
