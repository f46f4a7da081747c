/// Finds the first places of many quotes in one pass over a text (Aho and Corasick, 1975): the quotes are a tree of
/// their bytes, and a byte that fits no branch leads to the longest other beginning of a quote that was just read.
struct QuoteSearch {
  private struct Node {
    let byte: UInt8
    var firstChild = 0
    var nextSibling = 0
    /// The node of the longest beginning of a quote that ends here, too.
    var shorter = 0
    /// The nearest node on the way over `shorter` where a quote ends; 0 without one.
    var nextEnd = 0
    /// The place of the quote that ends here.
    var quote: Int?
    var isFound = false
  }

  /// The root is the first one, so 0 also stands for no node.
  private var nodes = [Node(byte: 0)]
  private var rootChildren = [Int](repeating: 0, count: 256)
  private(set) var count = 0
  /// The steps from node to node of the last search: at most two for each byte of the text, however many quotes there are.
  private(set) var steps = 0

  private let mostBytes: Int

  /// The quotes have at most so many bytes together; a node takes some 60.
  init(mostBytes: Int = 1 << 20) { self.mostBytes = mostBytes }

  /// - Returns: the place of the quote, which equal ones share; nil beyond the limit and for an empty one.
  mutating func add(_ quote: [UInt8]) -> Int? {
    guard !quote.isEmpty, nodes.count + quote.count <= mostBytes else { return nil }
    var node = 0
    for byte in quote { node = child(of: node, byte) ?? addChild(byte, to: node) }
    if let known = nodes[node].quote { return known }
    nodes[node].quote = count
    count += 1
    return count - 1
  }

  private func child(of node: Int, _ byte: UInt8) -> Int? {
    if node == 0 { return rootChildren[Int(byte)] == 0 ? nil : rootChildren[Int(byte)] }
    var child = nodes[node].firstChild
    while child != 0, nodes[child].byte != byte { child = nodes[child].nextSibling }
    return child == 0 ? nil : child
  }

  private mutating func addChild(_ byte: UInt8, to node: Int) -> Int {
    let child = nodes.count
    nodes.append(Node(byte: byte, nextSibling: nodes[node].firstChild))
    nodes[node].firstChild = child
    if node == 0 { rootChildren[Int(byte)] = child }
    return child
  }

  /// For each quote the place of its last byte where it is first; nil if the text does not have it.
  mutating func lastBytes(in text: [UInt8]) -> [Int?] {
    connect()
    var places = [Int?](repeating: nil, count: count)
    var (node, open) = (0, count)
    steps = 0
    for (place, byte) in text.enumerated() {
      if open == 0 { break }
      steps += 1
      var next = child(of: node, byte)
      while next == nil, node != 0 {
        node = nodes[node].shorter
        next = child(of: node, byte)
        steps += 1
      }
      node = next ?? 0
      // Behind a quote that was found before, all shorter ones that end there were found with it.
      var end = nodes[node].quote == nil ? nodes[node].nextEnd : node
      while end != 0, !nodes[end].isFound, let quote = nodes[end].quote {
        (places[quote], nodes[end].isFound) = (place, true)
        open -= 1
        end = nodes[end].nextEnd
      }
    }
    return places
  }

  /// From the root down, since a node needs those of shorter beginnings.
  private mutating func connect() {
    var level = [0]
    while !level.isEmpty {
      var below: [Int] = []
      for node in level {
        var place = nodes[node].firstChild
        while place != 0 {
          if node != 0 { connect(place, below: node) }
          nodes[place].isFound = false
          below.append(place)
          place = nodes[place].nextSibling
        }
      }
      level = below
    }
  }

  private mutating func connect(_ place: Int, below node: Int) {
    var from = nodes[node].shorter
    while from != 0, child(of: from, nodes[place].byte) == nil { from = nodes[from].shorter }
    let shorter = child(of: from, nodes[place].byte) ?? 0
    nodes[place].shorter = shorter
    nodes[place].nextEnd = nodes[shorter].quote == nil ? nodes[shorter].nextEnd : shorter
  }
}
