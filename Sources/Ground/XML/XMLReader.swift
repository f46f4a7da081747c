internal import CExpat

/// Reads XML (1.0, with namespaces) as it arrives: every input ends with its events or a fault.
///
/// Takes UTF-8, US-ASCII and ISO-8859-1. Document type declarations are refused, and with them all entities but the
/// five of XML itself. Comments and processing instructions are skipped. Use it from one task at a time.
public final class XMLReader {
  public struct Limits: Sendable {
    public var depth = 32
    /// Of a tag, comment or processing instruction, with its attributes, in bytes.
    public var tagBytes = 64 << 10
    /// Of a text between two tags, in bytes of UTF-8.
    public var textBytes = 1 << 20
    public var elements = 5_000_000
    /// Of the whole document.
    public var bytes = 1 << 30

    public init() {}
  }

  public enum Event: Sendable, Equatable {
    case start(XMLName, [XMLAttribute])
    case end(XMLName)
    /// All text between two tags, never empty. A comment inside does not divide it.
    case text(String)
  }

  public struct Fault: Error, Equatable {
    /// From 1.
    public let line: Int
    /// A clause: `a tag does not match`.
    public let reason: String
  }

  /// The pieces in which bytes are parsed, so that the limit of unfinished tags is checked often enough.
  private static let sliceBytes = 16 << 10

  private let limits: Limits
  private let reader: OpaquePointer
  private var events: [Event] = []
  private var open: [XMLName] = []
  private var text: [UInt8] = []
  private var elements = 0
  private var taken = 0
  private var beginning: [UInt8] = []
  private var failure: Fault?

  public init(_ limits: Limits = Limits()) throws(Fault) {
    self.limits = limits
    let events = cx_events(
      start: { context, name, attributes in XMLReader.of(context)?.start(name, attributes) },
      end: { context in XMLReader.of(context)?.end() },
      text: { context, bytes, count in XMLReader.of(context)?.add(bytes, count) },
      other: { context in XMLReader.of(context)?.skip() })
    guard let reader = cx_new(events) else { throw Fault(line: 1, reason: "memory is short") }
    self.reader = reader
  }

  deinit { cx_free(reader) }

  /// Events of the bytes so far. The division into pieces does not change them, but some may come with a later call, and the
  /// words of a fault may differ.
  /// - Throws: the same fault again after the first.
  public func feed(_ bytes: ArraySlice<UInt8>) throws(Fault) -> [Event] {
    var rest = bytes
    while !rest.isEmpty {
      try parse(rest.prefix(XMLReader.sliceBytes), isLast: false)
      rest = rest.dropFirst(XMLReader.sliceBytes)
    }
    return take()
  }

  /// The line that was reached, from 1.
  public var line: Int { max(1, Int(clamping: cx_line(reader))) }

  /// The last events, after all bytes.
  /// - Throws: a fault if the document is not at its end.
  public func finish() throws(Fault) -> [Event] {
    try parse([], isLast: true)
    failure = Fault(line: line, reason: "the document has already ended")
    return take()
  }

  private func take() -> [Event] {
    defer { events = [] }
    return events
  }

  private func parse(_ bytes: ArraySlice<UInt8>, isLast: Bool) throws(Fault) {
    if let failure { throw failure }
    taken += bytes.count
    guard taken <= limits.bytes else { throw fail("the document has more than \(limits.bytes) bytes") }
    try checkEncoding(bytes)
    let context = Unmanaged.passUnretained(self).toOpaque()
    let result = bytes.withUnsafeBufferPointer {
      Int(cx_feed(reader, context, $0.baseAddress, $0.count, isLast ? 1 : 0))
    }
    if let failure { throw failure }
    switch result {
    case Int(CX_OK): break
    case Int(CX_DOCTYPE): throw fail("it has a document type declaration, which byteclub does not read")
    case Int(CX_MEMORY): throw fail("memory is short")
    default: throw fail(cx_reason(reader).map { String(cString: $0) } ?? "it is not well-formed")
    }
    // libexpat parses an unfinished tag again only when twice as many bytes are there.
    let unread = taken - min(taken, Int(clamping: cx_position(reader)))
    if unread > 2 * limits.tagBytes + XMLReader.sliceBytes { throw fail(longTag) }
  }

  /// libexpat also takes UTF-16, which a NUL or a byte order mark among the first two bytes shows.
  private func checkEncoding(_ bytes: ArraySlice<UInt8>) throws(Fault) {
    guard beginning.count < 2 else { return }
    beginning += bytes.prefix(2 - beginning.count)
    if beginning.contains(where: { $0 == 0 || $0 >= 0xFE }) { throw fail("it is in UTF-16") }
  }

  private var longTag: String { "a tag or comment has more than \(limits.tagBytes) bytes" }

  private func fail(_ reason: String) -> Fault {
    let fault = failure ?? Fault(line: line, reason: reason)
    failure = fault
    events = []
    return fault
  }

  private func stop(_ reason: String) {
    _ = fail(reason)
    cx_stop(reader)
  }
}

extension XMLReader {
  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
    context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private func start(_ name: UnsafePointer<CChar>?, _ attributes: UnsafePointer<UnsafePointer<CChar>?>?) {
    guard let name else { return }
    guard cx_event_bytes(reader) <= limits.tagBytes else { return stop(longTag) }
    guard open.count < limits.depth else { return stop("elements are nested more than \(limits.depth) deep") }
    elements += 1
    guard elements <= limits.elements else { return stop("it has more than \(limits.elements) elements") }
    flush()
    var list: [XMLAttribute] = []
    var next = attributes
    while let name = next?.pointee, let value = next?[1] {
      list.append(XMLAttribute(name: XMLName(joined: name), value: String(cString: value)))
      next = next?.advanced(by: 2)
    }
    let element = XMLName(joined: name)
    open.append(element)
    events.append(.start(element, list))
  }

  private func end() {
    flush()
    if let name = open.popLast() { events.append(.end(name)) }
  }

  private func add(_ bytes: UnsafePointer<CChar>?, _ count: Int) {
    guard text.count + count <= limits.textBytes else {
      return stop("a text has more than \(limits.textBytes) bytes")
    }
    text += UnsafeRawBufferPointer(start: bytes, count: count)
  }

  private func skip() {
    if cx_event_bytes(reader) > limits.tagBytes { stop(longTag) }
  }

  private func flush() {
    guard !text.isEmpty else { return }
    events.append(.text(String(decoding: text, as: UTF8.self)))
    text.removeAll(keepingCapacity: true)
  }
}

public struct XMLName: Sendable, Hashable, CustomStringConvertible {
  /// The namespace's whole name, such as `DAV:`; empty for none.
  public let namespace: String
  public let local: String

  public init(_ namespace: String, _ local: String) { (self.namespace, self.local) = (namespace, local) }

  /// From libexpat: the namespace and the local name with a line feed between them.
  init(joined: UnsafePointer<CChar>) {
    let text = String(cString: joined)
    if let cut = text.utf8.lastIndex(of: 0x0A) {
      self.init(String(text[..<cut]), String(text[text.utf8.index(after: cut)...]))
    } else {
      self.init("", text)
    }
  }

  public var description: String { namespace.isEmpty ? local : "{\(namespace)}\(local)" }
}

public struct XMLAttribute: Sendable, Hashable {
  public let name: XMLName
  public let value: String

  public init(name: XMLName, value: String) { (self.name, self.value) = (name, value) }
}
