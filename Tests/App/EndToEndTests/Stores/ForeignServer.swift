import Foundation
import TestKit

/// A real server with one club, seen past byteclub.
protocol ForeignServer: AnyObject {
  /// The name of the club in a config.
  var name: String { get }
  var port: UInt16 { get }
  /// The sign-in, as variables of the environment.
  var secrets: [String: String] { get }
  /// The club in a config, reached through a port of this machine.
  func settings(through port: UInt16) -> [String: Any]
  /// nil if there is no such file.
  func content(_ path: String) throws -> [UInt8]?
  func put(_ bytes: [UInt8], at path: String) throws
}

/// A club's folder at a WebDAV server.
final class CloudFolder: ForeignServer {
  let name = "cloud"
  let secrets = ["BYTECLUB_TOKEN": WebDAVProgram.password]
  /// The club's folder on the disk.
  let folder: String
  private let server: WebDAVProgram
  private let club: String

  init(_ kind: WebDAVProgram.Kind = .apache) async throws {
    server = try await WebDAVProgram(kind)
    club = try server.newClub()
    folder = server.files + "/" + club
  }

  deinit { server.stop() }

  var port: UInt16 { UInt16(server.port) }

  func settings(through port: UInt16) -> [String: Any] {
    ["store": "webdav", "url": "http://127.0.0.1:\(port)/\(club)", "user": WebDAVProgram.user]
  }

  func content(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: folder + "/" + path).map { Array($0) }
  }

  func put(_ bytes: [UInt8], at path: String) throws {
    let file = URL(filePath: folder + "/" + path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  /// The names at the top of the folder, or of a folder in it.
  func names(in path: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/" + path).sorted()
  }
}
