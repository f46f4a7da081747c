internal import CCurl

/// A request as libcurl's options.
enum CurlSetup {
  /// From this size on the server is asked whether it wants the body at all (`Expect: 100-continue`): a refusal then
  /// costs a question, and not the body.
  static let expectFrom: UInt64 = 1 << 20

  private static let callbacks = cc_callbacks(
    read: { context, buffer, size in
      let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: size)
      return transfer(context).map { $0.read(into: buffer) } ?? Int(CC_ABORT)
    },
    seek: { context, offset in transfer(context)?.seek(to: UInt64(clamping: offset)) == true ? 0 : 1 },
    header: { context, line, size in
      transfer(context)?.takeHeader(UnsafeRawBufferPointer(start: line, count: size)) == true ? size : 0
    },
    write: { context, bytes, size in
      transfer(context)?.write(UnsafeRawBufferPointer(start: bytes, count: size)) ?? 0
    },
    connected: { context in transfer(context)?.connected() == true ? 0 : 1 },
    progress: { context, sent in transfer(context)?.progress(UInt64(clamping: sent)) })

  private static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// A handle with all that the request needs, but for its context; nil when memory is short.
  static func easy(_ job: CurlJob, _ options: HTTPOptions, expects: Bool) -> OpaquePointer? {
    let request = job.request
    var callbacks = callbacks
    guard let easy = cc_easy_new(&callbacks) else { return nil }
    func text(_ option: Int, _ value: String?) { cc_easy_set_text(easy, Int32(option), value) }
    func number(_ option: Int, _ value: Int64) { cc_easy_set_number(easy, Int32(option), value) }

    text(CC_URL, request.url)
    text(CC_USER_AGENT, options.userAgent)
    // Set even when empty: libcurl would read the environment itself otherwise, at another moment.
    text(CC_PROXY, options.proxies.proxy(for: job.origin) ?? "")
    text(CC_NO_PROXY, options.proxies.except)
    if let file = options.caFile {
      text(CC_CA_FILE, file)
      text(CC_CA_FOLDER, nil)
    }
    number(CC_CONNECT_TIMEOUT_MS, max(1, job.timeouts.connect.milliseconds))
    let isContent = request.kind == .content
    let isHTTP2 = !isContent && job.origin.isEncrypted
    number(CC_HTTP_VERSION, Int64(isHTTP2 ? CC_HTTP_2_TLS : CC_HTTP_1_1))
    number(CC_PIPE_WAIT, isHTTP2 ? 1 : 0)
    number(CC_BUFFER_SIZE, isContent ? 256 << 10 : 32 << 10)
    number(CC_UPLOAD_BUFFER_SIZE, isContent ? 256 << 10 : 64 << 10)
    body(of: request, text, number)
    for line in job.lines { cc_easy_add_header(easy, line) }
    cc_easy_add_header(easy, expects ? "Expect: 100-continue" : "Expect:")
    return easy
  }

  private static func body(
    of request: HTTPRequest, _ text: (Int, String?) -> Void, _ number: (Int, Int64) -> Void
  ) {
    switch (request.method, request.body) {
    case (.get, .empty), (.delete, .empty), (.options, .empty): number(CC_GET, 1)
    case (.head, _): number(CC_NO_BODY, 1)
    default:
      // libcurl's upload is the one way to send a body that reads it piece by piece, whatever the method.
      number(CC_UPLOAD, 1)
      number(CC_BODY_LENGTH, request.body.length.map { Int64(clamping: $0) } ?? -1)
    }
    text(CC_METHOD, request.method.word)
  }
}
