enum ChaosFault: String, Sendable, CaseIterable {
  case latency
  case bandwidth
  case tooMany = "429"
  case busy = "503"
  case broken = "500"
  case refuse
  case cutBody = "cutbody"
  case cut
  case stall
  /// Answers with a foreign page, like a network's sign-in page.
  case junk
  case drop

  enum Amount: Sendable {
    case none, time, bytes
  }

  var amount: Amount {
    switch self {
    case .latency, .stall, .tooMany, .busy: .time
    case .bandwidth, .cut, .cutBody: .bytes
    case .broken, .refuse, .junk, .drop: .none
    }
  }

  var needsAmount: Bool { self == .latency || self == .bandwidth || self == .stall }

  var help: (form: String, text: String) {
    switch self {
    case .latency: ("latency=TIME", "wait before each request")
    case .bandwidth: ("bandwidth=BYTES", "receive and send at most this many bytes a second, for each request")
    case .tooMany: ("429=P[:TIME]", "answer 429 with Retry-After (default 1s)")
    case .busy: ("503=P[:TIME]", "answer 503 with Retry-After (default 1s)")
    case .broken: ("500=P", "answer 500")
    case .refuse: ("refuse=P", "close the connection instead of answering, and do nothing")
    case .cutBody: ("cutbody=P[:BYTES]", "close it after this many bytes of the request's body")
    case .cut: ("cut=P[:BYTES]", "close it after this many bytes of the answer's body")
    case .stall: ("stall=P:TIME", "pause in the middle of the answer for this long")
    case .junk: ("junk=P", "answer with a foreign page")
    case .drop: ("drop=P", "carry out the request, and close the connection without an answer")
    }
  }
}
