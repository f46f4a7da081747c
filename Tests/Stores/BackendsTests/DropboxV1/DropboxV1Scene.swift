import Backends
import Basics
import FileStores
import Synchronization
import TestKit

/// A store of version 1 over a script, with everything pinned that would differ from run to run.
struct DropboxV1Scene {
  let transport: ScriptedTransport
  let store: DropboxV1Store

  /// 2026-11-21T06:00:00Z.
  static let now: Int64 = 1_795_240_800

  init(
    _ answers: [ScriptedTransport.Answer], folder: String = "/club",
    signIn: DropboxV1SignIn = .bearer(StaticToken("good-token")), tune: (inout DropboxTuning) -> Void = { _ in }
  ) throws {
    transport = ScriptedTransport(answers)
    var tuning = DropboxTuning()
    tuning.clock = ManualClock(advancesOnSleep: true)
    tuning.now = { DropboxV1Scene.now * 1_000_000_000 }
    let number = Mutex<UInt64>(0)
    tuning.random = {
      number.withLock {
        $0 += 1
        return $0
      }
    }
    tune(&tuning)
    store = try DropboxV1Store(
      server: DropboxServer(origin: "http://127.0.0.1:8080"), folder: folder, transport: transport, signIn: signIn,
      pool: DropboxV1Scene.pool, tuning: tuning)
  }

  private static let pool = BlockingPool(threads: 1)

  /// Methods and targets without their parameters, in order.
  var calls: [String] {
    transport.recorded.map { "\($0.request.method) \($0.target.prefix { $0 != "?" }.dropFirst("/1/".count))" }
  }
}

/// Answers as the protocol describes them.
enum DropboxV1 {
  static let revision = "362e2029684fe"

  static func file(_ path: String, revision: String = revision, size: Int = 5) -> String {
    #"{"size":"\#(size) bytes","rev":"\#(revision)","thumb_exists":false,"bytes":\#(size),"#
      + #""modified":"Tue, 19 Jul 2011 21:55:38 +0000","client_mtime":"Mon, 18 Jul 2011 18:04:35 +0000","#
      + #""path":"\#(path)","is_dir":false,"icon":"page_white_text","root":"dropbox","mime_type":"text/plain","#
      + #""revision":221922}"#
  }

  static func folder(_ path: String, _ contents: [String]? = nil, hash: String = "37eb1ba1849d4b0fb0b28caf7ef3af52")
    -> String
  {
    let listed = contents.map { #","hash":"\#(hash)","contents":[\#($0.joined(separator: ","))]"# } ?? ""
    return #"{"size":"0 bytes","bytes":0,"path":"\#(path)","is_dir":true,"icon":"folder","root":"dropbox"\#(listed)}"#
  }

  static func deleted(_ path: String) -> String {
    #"{"size":"0 bytes","bytes":0,"path":"\#(path)","is_dir":false,"is_deleted":true,"rev":"372e2029684fe","#
      + #""modified":"Tue, 19 Jul 2011 22:00:00 +0000","icon":"page_white","root":"dropbox"}"#
  }

  static func delta(
    _ entries: [String], cursor: String = "CURSOR-2", reset: Bool = false, hasMore: Bool = false
  ) -> ScriptedTransport.Answer {
    .text(
      200,
      #"{"entries":[\#(entries.joined(separator: ","))],"reset":\#(reset),"cursor":"\#(cursor)","has_more":\#(hasMore)}"#
    )
  }

  static func refusal(_ status: Int, _ text: String) -> ScriptedTransport.Answer {
    .text(status, #"{"error":"\#(text)"}"#)
  }

  static let notFound = refusal(404, "Path '/club/note.md' not found")
  static let cursor = ScriptedTransport.Answer.text(200, #"{"cursor":"CURSOR-1"}"#)
  static let badToken = refusal(401, "The given OAuth 2 access token doesn't exist or has expired.")

  /// A download's answer.
  static func content(
    _ text: String, _ metadata: String?, range: String? = nil
  ) -> ScriptedTransport.Answer {
    var headers: HTTPHeaders = ["Content-Type": "text/plain"]
    if let metadata {
      headers["x-dropbox-metadata"] = metadata
    } else {
      headers["Content-Length"] = String(text.utf8.count)
    }
    if let range { headers["Content-Range"] = range }
    return .response(HTTPResponse(range == nil ? 200 : 206, headers: headers), Array(text.utf8))
  }
}

extension DropboxV1Store {
  func put(_ text: String, at path: String, _ mode: WriteMode) async throws -> FileEntry {
    try await put(DataSource(Array(text.utf8)), at: StorePath(path), mode: mode)
  }

  func text(_ path: String, from offset: UInt64 = 0, ifRevision: String? = nil) async throws -> String {
    var bytes: [UInt8] = []
    _ = try await read(StorePath(path), from: offset, ifRevision: ifRevision.map { Revision($0) }) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
