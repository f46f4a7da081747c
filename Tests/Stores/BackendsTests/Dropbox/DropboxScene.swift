import Backends
import Basics
import FileStores
import Synchronization
import TestKit

/// A Dropbox store over a script, with everything pinned that would differ from run to run.
struct DropboxScene {
  let transport: ScriptedTransport
  let store: DropboxStore
  let clock: ManualClock

  /// 2026-11-21T06:00:00Z.
  static let now: Int64 = 1_795_240_800

  init(
    _ answers: [ScriptedTransport.Answer], folder: String = "/club",
    tokens: any AccessTokens = StaticToken("good-token"),
    server: DropboxServer = .official, tune: (inout DropboxTuning) -> Void = { _ in }
  ) throws {
    let transport = ScriptedTransport(answers)
    try self.init(transport, folder: folder, tokens: tokens, server: server, tune: tune)
  }

  init(
    _ transport: ScriptedTransport, folder: String = "/club", tokens: any AccessTokens = StaticToken("good-token"),
    server: DropboxServer = .official, tune: (inout DropboxTuning) -> Void = { _ in }
  ) throws {
    self.transport = transport
    clock = ManualClock(advancesOnSleep: true)
    var tuning = DropboxTuning()
    tuning.clock = clock
    tuning.now = { DropboxScene.now * 1_000_000_000 }
    let number = Mutex<UInt64>(0)
    tuning.random = {
      number.withLock {
        $0 += 1
        return $0
      }
    }
    tune(&tuning)
    store = try DropboxStore(
      server: server, folder: folder, transport: transport, tokens: tokens, pool: DropboxScene.pool, tuning: tuning)
  }

  private static let pool = BlockingPool(threads: 1)

  /// The routes that were called, in order.
  var routes: [String] { transport.recorded.map { String($0.target.dropFirst("/2/".count)) } }
}

/// Answers as the protocol describes them.
enum Dropbox {
  static let revision = "a1c10ce0dd78"

  static func file(
    _ path: String, revision: String = revision, size: Int = 5, hash: ContentHash? = ContentHash(of: "hello".utf8),
    tagged: Bool = true
  ) -> String {
    let name = path.split(separator: "/").last ?? ""
    let tag = tagged ? #"".tag":"file","# : ""
    let sum = hash.map { #","content_hash":"\#($0)""# } ?? ""
    return #"{\#(tag)"name":"\#(name)","id":"id:a4ayc_80_OEAAAAAAAAAXw","client_modified":"2015-05-12T15:50:38Z","#
      + #""server_modified":"2015-05-12T15:50:39Z","rev":"\#(revision)","size":\#(size),"#
      + #""path_lower":"\#(path.lowercased())","path_display":"\#(path)","is_downloadable":true\#(sum)}"#
  }

  static func folder(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return #"{".tag":"folder","name":"\#(name)","id":"id:a4ayc_80_OEAAAAAAAAAXz","path_lower":"\#(path.lowercased())","#
      + #""path_display":"\#(path)"}"#
  }

  static func deleted(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return #"{".tag":"deleted","name":"\#(name)","path_lower":"\#(path.lowercased())","path_display":"\#(path)"}"#
  }

  static func page(_ entries: [String], cursor: String = "CURSOR-2", hasMore: Bool = false) -> ScriptedTransport.Answer
  {
    .text(200, #"{"entries":[\#(entries.joined(separator: ","))],"cursor":"\#(cursor)","has_more":\#(hasMore)}"#)
  }

  static func refusal(_ summary: String, _ error: String) -> ScriptedTransport.Answer {
    .text(409, #"{"error_summary":"\#(summary)/..","error":\#(error)}"#)
  }

  static let notFound = refusal("path/not_found", #"{".tag":"path","path":{".tag":"not_found"}}"#)
  static let cursor = ScriptedTransport.Answer.text(200, #"{"cursor":"CURSOR-1"}"#)
  static let reset = refusal("reset", #"{".tag":"reset"}"#)
  static let badToken = ScriptedTransport.Answer.text(
    401, #"{"error_summary":"expired_access_token/...","error":{".tag":"expired_access_token"}}"#)
  /// What `files/upload` answers when something else is there.
  static let uploadConflict = refusal(
    "path/conflict/file",
    #"{".tag":"path","reason":{".tag":"conflict","conflict":{".tag":"file"}},"upload_session_id":"AAAA"}"#)

  /// A download's answer.
  static func content(
    _ text: String, _ metadata: String, range: String? = nil
  ) -> ScriptedTransport.Answer {
    var headers: HTTPHeaders = ["Content-Type": "application/octet-stream", "Dropbox-API-Result": metadata]
    if let range { headers["Content-Range"] = range }
    return .response(HTTPResponse(range == nil ? 200 : 206, headers: headers), Array(text.utf8))
  }
}

extension DropboxStore {
  func put(_ text: String, at path: String, _ mode: WriteMode) async throws -> FileEntry {
    try await put(DataSource(Array(text.utf8)), at: StorePath(path), mode: mode)
  }

  func text(_ path: String, from offset: UInt64 = 0, ifRevision: String? = nil) async throws -> String {
    var bytes: [UInt8] = []
    _ = try await read(StorePath(path), from: offset, ifRevision: ifRevision.map { Revision($0) }) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
