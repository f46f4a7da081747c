internal import CCurl
internal import FileStores

enum CurlSetup {
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
    connected: { context, address in
      transfer(context)?.connected(to: address.map { String(cString: $0) } ?? "") == true ? 0 : 1
    },
    progress: { context, sent in transfer(context)?.progress(UInt64(clamping: sent)) })

  private static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// A handle with everything but its context.
  /// - Throws: `offline` if memory is short; `unsupported` if libcurl does not take the pins of the server's key.
  static func easy(_ job: CurlJob, _ options: HTTPOptions, expects: Bool) throws(StoreError) -> OpaquePointer {
    let request = job.request
    var callbacks = callbacks
    guard let easy = cc_easy_new(&callbacks) else { throw CurlFault.unstarted(request) }
    let pins = options.pins(for: job.origin)
    if !pins.isEmpty {
      let code = cc_easy_pin(easy, pins.map(\.configText).joined(separator: ";"))
      guard code == Int32(CC_OK) else {
        cc_easy_free(easy)
        throw CurlFault.unpinned(job.origin, code)
      }
    }
    func text(_ option: Int, _ value: String?) { cc_easy_set_text(easy, Int32(option), value) }
    func number(_ option: Int, _ value: Int64) { cc_easy_set_number(easy, Int32(option), value) }

    text(CC_URL, request.url)
    text(CC_USER_AGENT, options.userAgent)
    // Set even if empty. Otherwise libcurl reads the environment itself, at another moment.
    text(CC_PROXY, options.proxies.proxy(for: job.origin) ?? "")
    text(CC_NO_PROXY, options.proxies.except)
    if let file = options.caFile {
      text(CC_CA_FILE, file)
      text(CC_CA_FOLDER, nil)
    }
    number(CC_CONNECT_TIMEOUT_MS, max(1, job.timeouts.connect.milliseconds))
    number(CC_EXPECT_TIMEOUT_MS, max(1, options.askingTime.milliseconds))
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
      // Upload is libcurl's only mode that streams a body. It works with any method.
      number(CC_UPLOAD, 1)
      number(CC_BODY_LENGTH, request.body.length.map { Int64(clamping: $0) } ?? -1)
    }
    text(CC_METHOD, request.method.word)
  }
}

enum CurlLibrary {
  private static let remedy = "On Debian and Ubuntu: sudo apt-get install libcurl4"

  /// Loads libcurl once for the process.
  /// - Throws: `unsupported` if it is missing or too old.
  static func load(_ name: String) throws(StoreError) {
    var words = [CChar](repeating: 0, count: 256)
    switch cc_load(name, &words, words.count) {
    case 0: return
    case 1:
      throw StoreError(
        .unsupported, "byteclub needs libcurl for the network, and this machine lacks it (\(text(words))).",
        remedy: remedy)
    default:
      throw StoreError(
        .unsupported, "byteclub needs libcurl 7.80 or newer, and the installed version does not work: \(text(words)).",
        remedy: remedy)
    }
  }

  static func text(_ words: some Sequence<CChar>) -> String {
    let bytes = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
  }
}
