import TestKit
import Testing
import XML

struct XMLReaderTests {
  private typealias Outcome = Result<[XMLReader.Event], XMLReader.Fault>

  /// Reads bytes in pieces of a size.
  private func read(
    _ bytes: [UInt8], by size: Int = .max, _ limits: XMLReader.Limits = XMLReader.Limits()
  ) -> Outcome {
    do throws(XMLReader.Fault) {
      let reader = try XMLReader(limits)
      var events: [XMLReader.Event] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        events += try reader.feed(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      return .success(events + (try reader.finish()))
    } catch {
      return .failure(error)
    }
  }

  private func read(_ text: String, _ limits: XMLReader.Limits = XMLReader.Limits()) -> Outcome {
    read(Array(text.utf8), limits)
  }

  private func read(_ bytes: [UInt8], _ limits: XMLReader.Limits) -> Outcome { read(bytes, by: .max, limits) }

  private func reason(_ outcome: Outcome) -> String? {
    if case .failure(let fault) = outcome { fault.reason } else { nil }
  }

  static let doctype = "it has a document type declaration, which byteclub does not read"

  @Test(
    arguments: [
      ("<a/>", [.start(XMLName("", "a"), []), .end(XMLName("", "a"))]),
      (
        "<?xml version='1.0' encoding='UTF-8'?>\n<!-- no --><a>1<!-- two -->2<?x y?>3</a>\n",
        [.start(XMLName("", "a"), []), .text("123"), .end(XMLName("", "a"))]
      ),
      (
        "<d:a xmlns:d=\"DAV:\" xmlns='urn:x' d:k='1' k='&lt;2&#233;'><b/></d:a>",
        [
          .start(
            XMLName("DAV:", "a"),
            [
              XMLAttribute(name: XMLName("DAV:", "k"), value: "1"),
              XMLAttribute(name: XMLName("", "k"), value: "<2é"),
            ]),
          .start(XMLName("urn:x", "b"), []), .end(XMLName("urn:x", "b")), .end(XMLName("DAV:", "a")),
        ]
      ),
      (
        "<a>&amp;&lt;&gt;&quot;&apos;&#x1F469;<![CDATA[<b>&]]> \u{FEFF}é</a>",
        [.start(XMLName("", "a"), []), .text("&<>\"'👩<b>& \u{FEFF}é"), .end(XMLName("", "a"))]
      ),
      ("\u{FEFF}<a>\r\n</a>", [.start(XMLName("", "a"), []), .text("\n"), .end(XMLName("", "a"))]),
    ] as [(String, [XMLReader.Event])])
  func `a document has its events`(_ row: (text: String, events: [XMLReader.Event])) {
    #expect(read(row.text) == .success(row.events))
  }

  @Test func `Latin-1 and ASCII are read as what they say`() {
    let name = XMLName("", "a")
    let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
    #expect(read(latin) == .success([.start(name, []), .text("é"), .end(name)]))
    let ascii = Array("<?xml version='1.0' encoding='us-ascii'?><a>".utf8)
    #expect(read(ascii + Array("e</a>".utf8)) == .success([.start(name, []), .text("e"), .end(name)]))
    #expect(reason(read(ascii + [0xE9] + Array("</a>".utf8))) == "not well-formed (invalid token)")
  }

  @Test(arguments: [
    ("", "no element found"), ("  ", "no element found"), ("x", "syntax error"),
    ("<a>", "no element found"), ("<a></b>", "mismatched tag"), ("<a/><b/>", "junk after document element"),
    ("<a", "unclosed token"), ("<a b=1/>", "not well-formed (invalid token)"),
    ("<a b='1' b='2'/>", "duplicate attribute"),
    ("<d:a/>", "unbound prefix"), ("<a>&nbsp;</a>", "undefined entity"),
    ("<a>&</a>", "not well-formed (invalid token)"),
    ("<a>\u{1}</a>", "not well-formed (invalid token)"), ("<a>&#0;</a>", "reference to invalid character number"),
    ("<a>&#xD800;</a>", "reference to invalid character number"),
    ("<?xml version='1.0' encoding='EBCDIC'?><a/>", "unknown encoding"),
    ("<?xml version='1.0' encoding='UTF-16'?><a/>", "encoding specified in XML declaration is incorrect"),
    ("<a xmlns:b='x&#10;y'/>", "syntax error"),
    (" <?xml version='1.0'?><a/>", "XML or text declaration not at start of entity"),
    ("<!DOCTYPE a><a/>", XMLReaderTests.doctype),
    ("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", XMLReaderTests.doctype),
    (
      "<!DOCTYPE a [<!ENTITY x 'ha'><!ENTITY y '&x;&x;&x;'>]><a>&y;</a>",
      XMLReaderTests.doctype
    ),
  ])
  func `a document that is not whole and plain XML is refused with a reason`(_ row: (text: String, reason: String)) {
    #expect(reason(read(row.text)) == row.reason)
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0x3C, 0x00], [0xFE, 0xFF, 0x00, 0x3C], [0x3C, 0x00, 0x61, 0x00], [0x00, 0x3C, 0x00, 0x61],
    ] as [[UInt8]])
  func `UTF-16 is refused, also byte by byte`(bytes: [UInt8]) {
    for size in [1, 4] { #expect(reason(read(bytes, by: size)) == "it is in UTF-16") }
  }

  @Test(
    arguments: [
      [0xC0, 0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xFF],
      [0xE0, 0x80, 0xAF], [0xEF, 0xBF, 0xBF],
    ] as [[UInt8]])
  func `bytes that are no UTF-8, or no character of XML, are refused`(bytes: [UInt8]) {
    #expect(reason(read(Array("<a>".utf8) + bytes + Array("</a>".utf8))) == "not well-formed (invalid token)")
  }

  @Test func `each limit ends the reading where it is passed`() {
    var limits = XMLReader.Limits()
    (limits.depth, limits.tagBytes, limits.textBytes, limits.elements, limits.bytes) = (3, 20, 10, 5, 200)
    func fault(_ text: String) -> String? { reason(read(text, limits)) }
    #expect(fault("<a><a><a/></a></a>") == nil)
    #expect(fault("<a><a><a><a/></a></a></a>") == "elements are nested more than 3 deep")
    #expect(fault("<a b='1234567890123'/>") == "a tag or comment has more than 20 bytes")
    #expect(fault("<a><!--1234567890123--></a>") == nil)
    #expect(fault("<a><!--12345678901234--></a>") == "a tag or comment has more than 20 bytes")
    #expect(fault("<a>12345<!-- -->67890</a>") == nil)
    #expect(fault("<a>12345<!-- -->678901</a>") == "a text has more than 10 bytes")
    #expect(fault("<a><![CDATA[12345678901]]></a>") == "a text has more than 10 bytes")
    #expect(fault("<a><b/><b/><b/><b/></a>") == nil)
    #expect(fault("<a><b/><b/><b/><b/><b/></a>") == "it has more than 5 elements")
    #expect(fault("<a/>" + String(repeating: " ", count: 197)) == "the document has more than 200 bytes")
  }

  @Test func `an endless tag, name, comment or text is refused with bounded memory`() throws {
    for beginning in ["<a b='", "<", "<!--", "<?", "<a>", "<a><![CDATA[", "</", "<a>&", "&", "<a ", "<?xml "] {
      let reader = try XMLReader()
      var fed = 0
      var fault: XMLReader.Fault?
      do throws(XMLReader.Fault) {
        _ = try reader.feed(Array(beginning.utf8)[...])
        while fed < 8 << 20 {
          _ = try reader.feed([UInt8](repeating: UInt8(ascii: "x"), count: 1000)[...])
          fed += 1000
        }
      } catch {
        fault = error
      }
      #expect(fault != nil, "\(beginning)")
      #expect(fed < 2 << 20, "\(beginning)")
    }
  }

  @Test func `a fault says its line, and comes again`() throws {
    let reader = try XMLReader()
    let text = Array("<a>\n\n<b></c>".utf8)
    for _ in 0..<2 {
      let fault = #expect(throws: XMLReader.Fault.self) { try reader.feed(text[...]) }
      #expect(fault == #expect(throws: XMLReader.Fault.self) { try reader.finish() })
      #expect(fault?.line == 3 && fault?.reason == "mismatched tag")
    }
  }

  static let document =
    "<?xml version=\"1.0\"?>\n<D:m xmlns:D='DAV:' xmlns:x=\"urn:ü\"><!-- c -->\n"
    + "<D:r a='1&amp;' x:b='2'>t\r\ne&#x78;t<![CDATA[ <&> ]]>ü👩</D:r><x:empty/><?p q?> tail</D:m>\n"

  @Test func `pieces of any size give the same events`() {
    let bytes = Array(Self.document.utf8)
    let whole = read(bytes)
    guard case .success(let events) = whole else { return #expect(Bool(false), "\(whole)") }
    #expect(events.count > 8)
    for size in 1...40 { #expect(read(bytes, by: size) == whole, "pieces of \(size)") }
  }

  @Test func `a document that is cut anywhere is refused`() {
    let bytes = Array(Self.document.utf8)
    for cut in 0..<(bytes.count - 1) {
      let outcome = read(Array(bytes[..<cut]))
      #expect(reason(outcome) != nil, "cut at \(cut)")
      #expect(reason(read(Array(bytes[..<cut]), by: 1)) == reason(outcome), "cut at \(cut)")
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `damaged documents end the same way whole and byte by byte`(seed: UInt64) {
    var numbers = SeededNumbers(seed)
    for _ in 0..<50 {
      var bytes = Array(Self.document.utf8)
      for _ in 0...numbers.below(4) {
        let place = numbers.below(bytes.count)
        switch numbers.below(4) {
        case 0: bytes[place] = UInt8(numbers.below(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + numbers.below(9))], at: place)
        default: bytes.insert(Array("<>&;'\"/![]-?:= ".utf8)[numbers.below(15)], at: place)
        }
      }
      // The words of a fault depend on the pieces: a broken tag after the root is broken, or is too much.
      let whole = try? read(bytes).get()
      #expect((try? read(bytes, by: 1).get()) == whole)
      #expect((try? read(bytes, by: 7).get()) == whole)
    }
  }
}

struct XMLNodesTests {
  @Test func `children of the root come as soon as they are complete`() throws {
    let nodes = try XMLNodes()
    #expect(try nodes.feed(Array("<r xmlns='u' k='v'> <a><b>1</b><b>2</b>x".utf8)[...]).isEmpty)
    let first = try nodes.feed(Array("y</a><c/".utf8)[...])
    #expect(first.map(\.name) == [XMLName("u", "a")])
    #expect(first[0].all("b").map(\.text) == ["1", "2"] && first[0].text == "xy")
    #expect(first[0]["u", "b"]?.text == "1" && first[0]["b"]?.text == "1" && first[0]["", "b"] == nil)
    #expect(try nodes.feed(Array(">z</r>".utf8)[...]).map(\.name.local) == ["c"])
    let root = try nodes.finish()
    #expect(root.name == XMLName("u", "r") && root.text == "z" && root.attributes.map(\.value) == ["v"])
    #expect(root.children.isEmpty)
  }

  @Test func `no child is lost, however the bytes come`() throws {
    let bytes = Array("<r><a k='\(String(repeating: "i", count: 200))'>t</a><b/></r>".utf8)
    for size in 1...bytes.count {
      let nodes = try XMLNodes()
      var names: [String] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        names += try nodes.feed(rest.prefix(size)).map(\.name.local)
        rest = rest.dropFirst(size)
      }
      names += try nodes.finish().children.map(\.name.local)
      #expect(names == ["a", "b"], "pieces of \(size)")
    }
  }

  @Test func `a whole document is read with its children`() throws {
    let root = try XMLNodes.read(Array("<Error><Code>NoSuchKey</Code><Message>no</Message></Error>".utf8))
    #expect(root["Code"]?.text == "NoSuchKey" && root["Message"]?.text == "no" && root["Other"] == nil)
    #expect(throws: XMLReader.Fault.self) { try XMLNodes.read(Array("<Error><Code>".utf8)) }
    #expect(throws: XMLReader.Fault.self) { try XMLNodes.read([]) }
  }

  @Test func `one child may be large only up to the limit, many may be more together`() throws {
    let item = "<i><a k='0123456789'>0123456789</a></i>"
    func read(_ text: String) throws -> Int {
      let nodes = try XMLNodes(itemBytes: 1000)
      let count = try nodes.feed(Array(text.utf8)[...]).count
      _ = try nodes.finish()
      return count
    }
    #expect(try read("<r>" + String(repeating: item + "\n", count: 1000) + "</r>") == 1000)
    for inside in [String(repeating: item, count: 10), String(repeating: "x", count: 1001)] {
      #expect(throws: XMLReader.Fault.self) { try read("<r><i>\(inside)</i></r>") }
    }
    #expect(throws: XMLReader.Fault.self) {
      try read("<r>" + String(repeating: "<i/>xxxx", count: 300) + "</r>")
    }
  }
}
