/// A way in which a server misbehaves on purpose.
enum ChaosFault: String, Sendable, CaseIterable {
  /// Waits before a request is looked at.
  case latency
  /// Receives and sends slowly.
  case bandwidth
  /// Says that it is asked too often; nothing is done.
  case tooMany = "429"
  /// Says that it is busy; nothing is done.
  case busy = "503"
  /// Says that it failed; nothing is done.
  case broken = "500"
  /// Closes the connection when a request begins; nothing is done.
  case refuse
  /// Closes the connection within the request's body.
  case cutBody = "cutbody"
  /// Closes the connection within the answer's body.
  case cut
  /// Stops within the answer for a time, and goes on.
  case stall
  /// Answers with a page of something else, as a network's sign-in page does; nothing is done.
  case junk
  /// Does what it is asked, and closes the connection without an answer.
  case drop

  /// What may follow the name, besides how often.
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

  /// Whether nothing sensible happens without an amount.
  var needsAmount: Bool { self == .latency || self == .bandwidth || self == .stall }

  /// How it is written, and what it does.
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
