import Foundation
import POSIX
import TestKit
import Testing

/// A server at several addresses, and at sockets of its machine.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil)) struct ListenTests {
  @Test func `one server answers at several ports and at a socket, where a proxy says for whom it asks`() throws {
    let home = try CommandLineHome()
    let socket = home.path + "/s"
    let server = try RunningServer(
      ["--listen", "127.0.0.2:0", "--listen", "unix:" + socket, "--behind-proxy", "unix"], in: home)
    let token = try server.admit("ann")
    #expect(try server.upload("/a", "x", token: token).status == "200")
    try server.process.wait(forNotice: "listening on 127.0.0.2:")
    let port = server.process.said.split(separator: "listening on 127.0.0.2:").last?.prefix { $0.isNumber } ?? ""
    #expect(try server.curl(["http://127.0.0.2:\(port)/healthz"]).status == "200")
    let asked = try server.curl([
      "--unix-socket", socket, "-H", "X-Forwarded-For: 203.0.113.7", "-H", "Authorization: Bearer \(token)",
      "-X", "POST", "http://club.example/2/users/get_current_account",
    ])
    #expect(asked.status == "200", "\(asked)")
    #expect(try home.mode("s") == 0o666)
    let end = try server.finish()
    let line = " 203.0.113.7 ann POST /2/users/get_current_account 200 "
    #expect(end.status == 0 && end.said.contains(line), "\(end.said)")
    #expect(!FileManager.default.fileExists(atPath: socket))
  }

  @Test func `a server takes the place of a killed one's socket, but not of another server's or of a file`() throws {
    let home = try CommandLineHome()
    try FileManager.default.createDirectory(atPath: home.path + "/other", withIntermediateDirectories: false)
    try home.write("mine".utf8, to: "file")
    let socket = home.path + "/s"
    func refused(_ path: String) throws -> Spawn.Outcome {
      try home.run("serve", "--root", home.path + "/other", "--listen", "unix:" + path)
    }
    let first = try RunningServer(["--listen", "unix:" + socket], in: home)
    first.process.signal(SIGKILL)
    _ = try first.process.finish()
    let server = try RunningServer(["--listen", "unix:" + socket], in: home)
    let taken = try refused(socket)
    #expect(taken.status == 1 && taken.said.contains("Another server listens at the socket"), "\(taken.said)")
    #expect(try server.curl(["--unix-socket", socket, "http://club.example/version"]).status == "200")
    let file = try refused(home.path + "/file")
    #expect(file.status == 5 && file.said.contains("/file\" is a file and no socket."), "\(file.said)")
    #expect(home.read("file") == Array("mine".utf8))
    let nowhere = try refused(home.path + "/none/s")
    #expect(
      nowhere.status == 1 && nowhere.said.contains("/none/s\" cannot be made: No such file or directory."),
      "\(nowhere.said)")
    let long = try refused("/" + String(repeating: "x", count: 200))
    #expect(long.status == 2 && long.said.contains("The path of a socket has at most 107 bytes"), "\(long.said)")
  }
}
