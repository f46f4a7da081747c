import Foundation
import Synchronization
import TestKit

/// A server with byteclub's own calls: one invitation, one member, two devices, two notes and a photo.
final class FakeDoor: Sendable {
  static let code = "AbCdEfGhIjKlMnOpQrSt-_"
  static let deviceCode = "ZyXwVuTsRqPoNmLkJiHg01"
  static let token = "the-secret-token"

  let server: RawServer
  private let log: Log

  private final class Log: Sendable {
    let lines = Mutex<[String]>([])
    /// The device that has redeemed the invitation.
    let device = Mutex<String?>(nil)
  }

  init() throws {
    let log = Log()
    self.log = log
    server = try RawServer.answering { request in
      let body = String(decoding: request.body, as: UTF8.self)
      log.lines.withLock { $0.append(request.target) }
      if request.target == "/2/byteclub/join" { return FakeDoor.join(body, log) }
      guard "\(request.headers)".contains("Bearer \(FakeDoor.token)") else {
        return FakeDoor.json(#"{"error":{".tag":"invalid_access_token"}}"#, status: 401)
      }
      switch request.target {
      case "/2/byteclub/device_code": return FakeDoor.json(#"{"code":"\#(FakeDoor.deviceCode)","expires":600}"#)
      case "/2/byteclub/devices":
        return FakeDoor.json(
          #"{"devices":[{"id":"d1","name":"desk","made":"2026-11-27T06:00:00Z","last_used":null,"is_this":true},"#
            + #"{"id":"d2","name":"phone\u001b[2J","made":null,"last_used":"2026-11-26T06:00:00Z","is_this":false}]}"#)
      case "/2/byteclub/device_remove" where body.contains("d2"): return FakeDoor.json("null")
      case "/2/users/get_current_account":
        return FakeDoor.json(#"{"account_id":"dbid:ann","name":{"display_name":"ann"},"email":null}"#)
      case "/2/auth/token/revoke": return FakeDoor.json("null")
      case "/2/files/list_folder": return FakeDoor.json(FakeDoor.listing(isPhotos: body.contains("photos")))
      default: return FakeDoor.json(#"{"error_summary":"not_found/..","error":{".tag":"not_found"}}"#, status: 409)
      }
    }
  }

  deinit { server.stop() }

  var line: String { "\(server.url)/join#\(FakeDoor.code)" }
  /// The paths of all requests.
  var requests: [String] { log.lines.withLock { $0 } }

  /// True for a text with a secret in it.
  static func tells(_ text: String) -> Bool { text.contains(code) || text.contains(token) }

  private static func join(_ body: String, _ log: Log) -> RawAnswer {
    let device = String(body.split(separator: #""device":""#).last?.prefix { $0 != "\"" } ?? "")
    let isFirst = log.device.withLock { known in
      known = known ?? device
      return known == device
    }
    guard body.contains(code), isFirst else {
      return json(#"{"error_summary":"invalid_code/..","error":{".tag":"invalid_code"}}"#, status: 403)
    }
    return json(
      #"{"access_token":"\#(token)","account_id":"dbid:ann","member":"ann","#
        + #""club":"../../Garage\u001b[2J","read_only":false}"#
    )
  }

  private static func listing(isPhotos: Bool) -> String {
    let folder = isPhotos ? "/photos/" : "/"
    let files = (isPhotos ? ["pier.jpg"] : ["Log.md", "Welcome.md"]).map { name in
      #"{".tag":"file","name":"\#(name)","id":"id:\#(name)","path_lower":"\#((folder + name).lowercased())","#
        + #""path_display":"\#(folder)\#(name)","client_modified":"2026-11-27T06:00:00Z","#
        + #""server_modified":"2026-11-27T06:00:00Z","rev":"0123456789abcdef0","size":3}"#
    }
    return #"{"entries":[\#(files.joined(separator: ","))],"cursor":"c","has_more":false}"#
  }

  private static func json(_ text: String, status: Int = 200) -> RawAnswer {
    RawAnswer(status, body: Array(text.utf8))
  }
}
