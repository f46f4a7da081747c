@testable import XML

/// A document of any bytes ends with its nodes or a fault; whole and in pieces it ends the same way.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let seeds = seedFolder() {
    let text = "<d:m xmlns:d='DAV:'><!-- x --><d:r a='1'>t&amp;<![CDATA[u]]></d:r></d:m>"
    return write(Array(text.utf8), to: seeds + "/m")
  }
  guard read(bytes, by: bytes.count + 1) == read(bytes, by: 3) else {
    fatalError("Pieces make a difference.")
  }
  return 0
}

/// nil for a fault, whose words depend on the pieces.
private func read(_ bytes: [UInt8], by size: Int) -> [XMLNode]? {
  do throws(XMLReader.Fault) {
    let nodes = try XMLNodes()
    var all: [XMLNode] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      all += try nodes.feed(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    let root = try nodes.finish()
    return all + root.children + [XMLNode(root.name, root.attributes)]
  } catch {
    return nil
  }
}
