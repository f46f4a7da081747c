import FileStores
import Foundation
import JSON
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// Prometheus' text format, read as strictly as its specification says
/// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
struct PrometheusPage {
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  struct Sample: Equatable {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  private(set) var types: [String: String] = [:]
  private(set) var samples: [Sample] = []

  init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Fault(description: "the last line does not end") }
    var helped: Set<String> = []
    var family = ""
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
      if words.starts(with: ["#", "HELP"]) {
        guard words.count == 4, PrometheusPage.isName(words[2]), helped.insert(words[2]).inserted else {
          throw Fault(description: "HELP: \(line)")
        }
      } else if words.starts(with: ["#", "TYPE"]) {
        guard words.count == 4, helped.contains(words[2]), types[words[2]] == nil,
          ["counter", "gauge", "histogram"].contains(words[3])
        else { throw Fault(description: "TYPE: \(line)") }
        types[words[2]] = words[3]
        family = words[2]
      } else {
        let sample = try PrometheusPage.sample(line)
        let suffixes = types[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard suffixes.contains(where: { family + $0 == sample.name }) else {
          throw Fault(description: "a sample outside its family \(family): \(line)")
        }
        guard !samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) else {
          throw Fault(description: "twice: \(line)")
        }
        samples.append(sample)
      }
    }
    for (name, type) in types where type == "counter" && !name.hasSuffix("_total") {
      throw Fault(description: "the counter \(name) does not end in _total")
    }
    try checkHistograms()
  }

  func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    samples.first { sample in sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value } }?.value
  }

  private func checkHistograms() throws {
    for name in types.filter({ $0.value == "histogram" }).keys {
      for count in samples where count.name == name + "_count" {
        let buckets = samples.filter { sample in
          sample.name == name + "_bucket" && sample.labels.filter { $0.key != "le" } == count.labels
        }
        let bounds = try buckets.map { bucket in
          guard let bound = bucket.labels["le"].flatMap({ $0 == "+Inf" ? .infinity : Double($0) }) else {
            throw Fault(description: "a bucket without a bound: \(bucket)")
          }
          return bound
        }
        guard bounds == bounds.sorted(), bounds.last == .infinity,
          buckets.map(\.value) == buckets.map(\.value).sorted(),
          buckets.last?.value == count.value
        else { throw Fault(description: "the buckets of \(count)") }
      }
    }
  }

  private static func isName(_ text: String) -> Bool {
    text.wholeMatch(of: #/[a-zA-Z_:][a-zA-Z0-9_:]*/#) != nil
  }

  private static func sample(_ line: Substring) throws -> Sample {
    guard let match = line.wholeMatch(of: #/([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? (\S+)/#), let value = Double(match.3)
    else { throw Fault(description: "no sample: \(line)") }
    var labels: [String: String] = [:]
    var rest = (match.2 ?? "{}").dropFirst()
    while rest.first != "}" {
      guard let label = rest.prefixMatch(of: #/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)",?/#) else {
        throw Fault(description: "labels: \(line)")
      }
      labels[String(label.1)] = String(label.2).replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
      rest = rest[label.range.upperBound...]
    }
    guard rest == "}" else { throw Fault(description: "labels: \(line)") }
    return Sample(name: String(match.1), labels: labels, value: value)
  }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct MetricsTests {
  private func withMetrics(
    arrange: (inout ClubSource) -> Void = { _ in }, others: [String] = [], _ body: (TestServer) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      try await withServer(
        in: folder, tune: { ($0.metrics, $0.version) = (("127.0.0.1", 0), "1.2 \"x\"\\") }, others: others,
        arrange: arrange, body)
    }
  }

  private func status(_ server: TestServer, _ path: String, _ method: String = "GET") async throws -> Reply {
    try await RawClient(port: try #require(server.metricsPort)).request(method, path)
  }

  private func page(_ server: TestServer) async throws -> PrometheusPage {
    let reply = try await status(server, "/metrics")
    #expect(reply.status == 200)
    #expect(reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    return try PrometheusPage(reply.text)
  }

  @Test("The metrics count requests, bytes, wrong tokens, space and uploads, in Prometheus' form")
  func counts() async throws {
    try await withMetrics(arrange: { $0.quota = 1 << 20 }) { server in
      try await server.upload("/a.txt", "twelve bytes")
      _ = try await server.fetch("files/download", ["path": "/a.txt"])
      #expect(try await server.call("check/user", .null, token: "bc.no.token").status == 401)
      #expect(try await server.fetch("files/download", ["path": "/none"]).status == 409)
      _ = try await server.send("files/upload_session/start", .members([:]), [1])
      let page = try await page(server)
      func requests(_ call: String, _ code: String) -> Double? {
        page.value("byteclub_http_requests_total", ["club": "club", "call": call, "code": code])
      }
      #expect(requests("/2/files/upload", "2xx") == 1)
      #expect(requests("/2/check/user", "4xx") == 1)
      #expect(requests("/2/files/download", "2xx") == 1 && requests("/2/files/download", "4xx") == 1)
      let upload = ["call": "/2/files/upload"]
      #expect(page.value("byteclub_http_received_bytes_total", upload) == 12)
      #expect(page.value("byteclub_http_sent_bytes_total", ["call": "/2/files/download"]) ?? 0 > 12)
      #expect(page.value("byteclub_http_request_duration_seconds_count", upload) == 1)
      #expect(page.value("byteclub_token_failures_total") == 1)
      #expect(page.value("byteclub_storage_used_bytes", ["club": "club"]) == 12)
      #expect(page.value("byteclub_storage_quota_bytes", ["club": "club"]) == 1_048_576)
      #expect(page.value("byteclub_upload_sessions", ["club": "club"]) == 1)
      #expect(page.value("byteclub_members", ["club": "club"]) == 1)
      #expect(page.value("byteclub_longpolls_waiting") == 0)
      #expect(page.value("byteclub_build_info", ["version": "1.2 \"x\"\\"]) == 1)
      #expect(page.value("process_start_time_seconds") ?? 0 > 1_700_000_000)
    }
  }

  @Test("Open connections and waiting requests for changes are gauges")
  func gauges() async throws {
    try await withMetrics { server in
      let cursor = try await server.call("files/list_folder/get_latest_cursor", ["path": ""]).json["cursor"]
      let line = try Connection(port: server.client.port)
      let body = JSON.members(["cursor": cursor, "timeout": .integer(30)]).encoded
      try await line.send(
        "POST /2/files/list_folder/longpoll HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      var seen: [Double?] = []
      while seen != [1, 1] {
        try Task.checkCancellation()
        let page = try await page(server)
        seen = [page.value("byteclub_longpolls_waiting"), page.value("byteclub_http_connections")]
      }
      #expect(seen == [1, 1])
      try await server.upload("/news", "x")
      #expect(try await line.receive(12) == Array("HTTP/1.1 200".utf8))
      #expect(try await page(server).value("byteclub_longpolls_waiting") == 0)
    }
  }

  @Test("Idle connections do not keep a health check out")
  func idle() async throws {
    try await withMetrics { server in
      let port = try #require(server.metricsPort)
      var idle: [Connection] = []
      for _ in 0..<60 { idle.append(try Connection(port: port)) }
      #expect([200, 503].contains(try await status(server, "/healthz").status))
      #expect(idle.count == 60)
    }
  }

  @Test("A broken download counts the bytes that were sent, not those that were promised")
  func broken() async throws {
    let size = 24 << 20
    try await withMetrics { server in
      try Data(count: size).write(to: URL(fileURLWithPath: server.root + "/large"))
      do {
        let line = try Connection(port: server.client.port, receiving: 4096)
        try await line.send(
          "POST /2/files/download HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(server.token)\r\n"
            + "Dropbox-API-Arg: {\"path\":\"/large\"}\r\nContent-Length: 0\r\n\r\n")
        #expect(try await line.receive(12) == Array("HTTP/1.1 200".utf8))
      }
      var sent: Double?
      while sent == nil {
        try Task.checkCancellation()
        sent = try await page(server).value("byteclub_http_sent_bytes_total", ["call": "/2/files/download"])
      }
      #expect(try #require(sent) < Double(size))
    }
  }

  /// The health of the clubs. A busy machine may need longer for a check than the server waits: the test asks again then.
  private func health(_ server: TestServer) async throws -> Reply {
    while true {
      let answer = try await status(server, "/healthz")
      if !answer.text.contains("The check did not end within") { return answer }
      try Task.checkCancellation()
    }
  }

  /// The word of health for strangers, of a server whose clubs are all well: as `health`.
  private func word(_ server: TestServer, _ method: String) async throws -> Reply {
    while true {
      let answer = try await server.client.request(method, "/healthz")
      if answer.status != 503 { return answer }
      try Task.checkCancellation()
    }
  }

  @Test("The listener for metrics answers its two addresses alone; the club's own has no metrics, and of health a word")
  func addresses() async throws {
    try await withMetrics { server in
      let healthy = try await health(server)
      #expect(healthy.text == "ok\n")
      #expect(try await status(server, "/healthz", "HEAD").status == 200)
      #expect(try await status(server, "/metrics", "POST").status == 405)
      for path in ["/", "/2/check/user", "/metrics/x"] { #expect(try await status(server, path).status == 404) }
      #expect(try await server.client.request("GET", "/metrics").status == 400)
      let well = try await word(server, "GET")
      #expect(well.status == 200 && well.text == "ok\n" && well.headers["cache-control"] == "no-store")
      #expect(try await word(server, "HEAD").status == 200)
    }
  }

  @Test(
    "A club whose folder is gone, or whose index cannot be written, is unhealthy, and the answer says which and why")
  func unhealthy() async throws {
    let isBroken = Mutex(false)
    try await withMetrics(
      arrange: { source in
        guard source.name == "garage" else { return }
        source.check = { () throws(StoreError) in
          if isBroken.withLock({ $0 }) { throw StoreError(.server, "The disk is read-only.") }
        }
      }, others: ["garage"]
    ) { server in
      #expect(try await health(server).status == 200)
      isBroken.withLock { $0 = true }
      let broken = try await health(server)
      #expect(broken.status == 503)
      #expect(broken.text == "garage: The club's files cannot be used: The disk is read-only.\n")
      // Strangers learn no reason.
      let word = try await server.client.request("GET", "/healthz")
      #expect(word.status == 503 && word.text == "failing\n")
      isBroken.withLock { $0 = false }
      try FileManager.default.moveItem(atPath: server.root, toPath: server.root + "-away")
      let gone = try await health(server)
      #expect(gone.status == 503 && gone.text.hasPrefix("club: The club's files cannot be used: "), "\(gone.text)")
      try FileManager.default.moveItem(atPath: server.root + "-away", toPath: server.root)
      #expect(try await health(server).status == 200)
      try sqlite(server.data + "/index.sqlite", "DROP TABLE facts")
      let index = try await health(server)
      #expect(index.status == 503 && index.text.hasPrefix("club: The index cannot be used: "), "\(index.text)")
    }
  }

  @Test("A club whose disk does not answer is unhealthy, keeps one check at work, and hides no other club's health")
  func stuck() async throws {
    let checks = Mutex(0)
    let disk = DispatchSemaphore(value: 0)
    try await withMetrics(
      arrange: { source in
        guard source.name == "garage" else { return }
        source.check = { () throws(StoreError) in
          checks.withLock { $0 += 1 }
          // Each check that the disk answers lets the next one through.
          disk.wait()
          disk.signal()
        }
      }, others: ["garage"]
    ) { server in
      defer { disk.signal() }
      for _ in 0..<2 {
        var answer = try await status(server, "/healthz")
        // A busy machine may keep the check of the club that is well, too.
        while answer.text.contains("club: The check did not end within") {
          try Task.checkCancellation()
          answer = try await status(server, "/healthz")
        }
        #expect(answer.status == 503 && answer.text == "garage: The check did not end within 5 seconds.\n")
      }
      while checks.withLock({ $0 }) == 0 { try Task.checkCancellation() }
      #expect(checks.withLock { $0 } == 1)
      disk.signal()
      // The check that was stuck ends, and the next one begins anew.
      while checks.withLock({ $0 }) < 2 {
        try Task.checkCancellation()
        _ = try await status(server, "/healthz")
      }
      #expect(try await health(server).text == "ok\n")
    }
  }

  private func sqlite(_ path: String, _ sql: String) throws {
    let code = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
    let outcome = try Spawn("/usr/bin/python3", ["-c", code, path, sql], environment: [:]).finish()
    try #require(outcome.status == 0, "\(outcome.said)")
  }
}
