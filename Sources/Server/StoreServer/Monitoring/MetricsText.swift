/// Prometheus' text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
struct MetricsText {
  enum Kind: String {
    case counter
    case gauge
    case histogram
  }

  static let type = "text/plain; version=0.0.4; charset=utf-8"
  private(set) var text = ""
  private var name = ""

  /// Begins a family of samples; its name and unit follow https://prometheus.io/docs/practices/naming/.
  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    self.name = name
    text += "# HELP \(name) \(MetricsText.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// - Parameter value: an integer or a fraction, as Swift writes it.
  mutating func add(_ value: some Numeric, _ labels: [(String, String)] = [], suffix: String = "") {
    let list = labels.map { "\($0.0)=\"\(MetricsText.escaped($0.1, quotes: true))\"" }.joined(separator: ",")
    text += name + suffix + (list.isEmpty ? "" : "{\(list)}") + " \(value)\n"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// A club's figures at the time of a question.
struct ClubFigures: Sendable {
  let club: String
  let used: UInt64
  let quota: UInt64?
  let available: UInt64?
  let uploads: Int
  let members: Int
}

extension MetricsText {
  /// All of a server's metrics.
  /// - Parameter certificateEnd: seconds since 1970; nil without TLS.
  init(
    _ metrics: ServerMetrics, _ clubs: [ClubFigures], waiting: Int, tokenFailures: UInt64, version: String,
    started: Int64, certificateEnd: Int64?
  ) {
    begin("byteclub_build_info", .gauge, "The running version; the value is always 1.")
    add(1, [("version", version)])
    begin("process_start_time_seconds", .gauge, "Start of the server, in seconds since 1970.")
    add(started)
    addRequests(metrics)
    begin("byteclub_http_connections", .gauge, "Open connections.")
    add(metrics.connections)
    begin("byteclub_longpolls_waiting", .gauge, "Requests that wait for changes.")
    add(waiting)
    begin("byteclub_token_failures_total", .counter, "Requests with a wrong token, key, code word or signature.")
    add(tokenFailures)
    if let certificateEnd {
      begin("byteclub_certificate_expiry_timestamp_seconds", .gauge, "End of the certificate, in seconds since 1970.")
      add(certificateEnd)
    }
    addClubs(clubs)
  }

  private mutating func addRequests(_ metrics: ServerMetrics) {
    let all = metrics.all
    begin("byteclub_http_requests_total", .counter, "Answered requests by call and class of the status.")
    for (place, calls) in all {
      for (digit, count) in calls.byClass.enumerated() where count > 0 {
        add(count, MetricsText.labels(place) + [("code", "\(digit)xx")])
      }
    }
    begin("byteclub_http_request_duration_seconds", .histogram, "Time from the request's head to its answer.")
    for (place, calls) in all {
      var sum: UInt64 = 0
      for (bound, count) in zip(ServerMetrics.bounds, calls.buckets) {
        sum += count
        add(sum, MetricsText.labels(place) + [("le", "\(bound)")], suffix: "_bucket")
      }
      add(calls.count, MetricsText.labels(place) + [("le", "+Inf")], suffix: "_bucket")
      add(calls.seconds, MetricsText.labels(place), suffix: "_sum")
      add(calls.count, MetricsText.labels(place), suffix: "_count")
    }
    begin("byteclub_http_received_bytes_total", .counter, "Bytes of request bodies.")
    for (place, calls) in all { add(calls.received, MetricsText.labels(place)) }
    begin("byteclub_http_sent_bytes_total", .counter, "Bytes of answer bodies.")
    for (place, calls) in all { add(calls.sent, MetricsText.labels(place)) }
  }

  private mutating func addClubs(_ clubs: [ClubFigures]) {
    begin("byteclub_storage_used_bytes", .gauge, "Bytes of the club's files, the trash included.")
    for club in clubs { add(club.used, [("club", club.club)]) }
    begin("byteclub_storage_quota_bytes", .gauge, "The club's quota; no sample without one.")
    for club in clubs { if let quota = club.quota { add(quota, [("club", club.club)]) } }
    begin("byteclub_storage_available_bytes", .gauge, "Free bytes on the disk of the club's files.")
    for club in clubs { if let available = club.available { add(available, [("club", club.club)]) } }
    begin("byteclub_upload_sessions", .gauge, "Unfinished uploads.")
    for club in clubs { add(club.uploads, [("club", club.club)]) }
    begin("byteclub_members", .gauge, "Members of the club.")
    for club in clubs { add(club.members, [("club", club.club)]) }
  }

  private static func labels(_ place: ServerMetrics.Place) -> [(String, String)] {
    [("club", place.club), ("call", place.call)]
  }
}
