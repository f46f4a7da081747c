/// An element with everything inside. Text between its elements is joined in `text`.
public struct XMLNode: Sendable, Equatable {
  public let name: XMLName
  public let attributes: [XMLAttribute]
  /// Its own text, without that of its elements.
  public internal(set) var text = ""
  public internal(set) var children: [XMLNode] = []

  init(_ name: XMLName, _ attributes: [XMLAttribute]) { (self.name, self.attributes) = (name, attributes) }

  /// The first child with this name.
  public subscript(namespace: String, local: String) -> XMLNode? {
    children.first { $0.name.local == local && $0.name.namespace == namespace }
  }

  /// The first child with this local name in any namespace.
  public subscript(local: String) -> XMLNode? { children.first { $0.name.local == local } }

  /// All children with this local name in any namespace, in order.
  public func all(_ local: String) -> [XMLNode] { children.filter { $0.name.local == local } }
}

/// Reads the answer of a server as it arrives: each child of the document's root as a whole node, soon after it is
/// complete. A long list of items needs memory for one item only. Use it from one task at a time.
public final class XMLNodes {
  private let reader: XMLReader
  private var path: [XMLNode] = []
  private var held = 0
  private let itemBytes: Int

  /// - Parameter itemBytes: the most memory that one child of the root, or the text of the root, may take, in bytes.
  public init(_ limits: XMLReader.Limits = XMLReader.Limits(), itemBytes: Int = 4 << 20) throws(XMLReader.Fault) {
    reader = try XMLReader(limits)
    self.itemBytes = itemBytes
  }

  /// Children that are complete, in order. Some may come with a later call, and the last ones with `finish`.
  public func feed(_ bytes: ArraySlice<UInt8>) throws(XMLReader.Fault) -> [XMLNode] {
    try nodes(try reader.feed(bytes))
  }

  /// The root after all bytes, with its attributes and text, and with those children that `feed` has not returned.
  public func finish() throws(XMLReader.Fault) -> XMLNode {
    let rest = try nodes(try reader.finish())
    guard var root = path.first else { throw XMLReader.Fault(line: reader.line, reason: "no element found") }
    root.children = rest
    return root
  }

  /// The root of a whole document with all its children.
  public static func read(
    _ bytes: [UInt8], _ limits: XMLReader.Limits = XMLReader.Limits()
  ) throws(XMLReader.Fault) -> XMLNode {
    let nodes = try XMLNodes(limits)
    let children = try nodes.feed(bytes[...])
    var root = try nodes.finish()
    root.children = children + root.children
    return root
  }

  private func nodes(_ events: [XMLReader.Event]) throws(XMLReader.Fault) -> [XMLNode] {
    var done: [XMLNode] = []
    for event in events {
      switch event {
      case .start(let name, let attributes):
        if path.count == 1 { held = 0 }
        try hold(attributes.reduce(nodeBytes + name.bytes) { $0 + nodeBytes + $1.name.bytes + $1.value.utf8.count })
        path.append(XMLNode(name, attributes))
      case .text(let text):
        // The root's own text is mostly line breaks between many items.
        guard let last = path.indices.last, last > 0 || !text.utf8.allSatisfy({ $0 <= 0x20 }) else { continue }
        try hold(text.utf8.count)
        path[last].text += text
      case .end:
        // The root stays, for `finish`.
        guard path.count > 1, let node = path.popLast() else { continue }
        if path.count == 1 { done.append(node) } else { path[path.count - 1].children.append(node) }
      }
    }
    return done
  }

  private func hold(_ bytes: Int) throws(XMLReader.Fault) {
    held += bytes
    let rootBytes = path.first.map { $0.text.utf8.count } ?? 0
    guard held <= itemBytes, rootBytes <= itemBytes else {
      throw XMLReader.Fault(line: reader.line, reason: "an item has more than \(itemBytes) bytes")
    }
  }
}

/// The size of an empty node or attribute in memory, roughly.
private let nodeBytes = 100

extension XMLName {
  fileprivate var bytes: Int { namespace.utf8.count + local.utf8.count }
}
