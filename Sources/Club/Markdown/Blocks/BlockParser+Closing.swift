/// Opening and closing of blocks.
extension BlockParser {
  /// Adds a block. Open blocks that the line does not continue are closed, and those that cannot hold it.
  mutating func open(_ kind: MarkdownBlock.Kind, in container: Int, at start: Int) -> Int {
    closeUnmatched()
    var parent = container
    while !canHold(parent, kind) {
      close(parent)
      parent = blocks[parent].parent
    }
    tip = append(kind, to: parent, at: start)
    lastMatched = tip
    return tip
  }

  /// Adds a block to a parent and closes nothing.
  mutating func append(_ kind: MarkdownBlock.Kind, to parent: Int, at start: Int) -> Int {
    var block = MarkdownBlock(kind, range: start..<start, parent: parent, lines: lines.count)
    block.depth = blocks[parent].depth + 1
    let index = blocks.count
    blocks.append(block)
    let last = blocks[parent].lastChild
    if last >= 0 { blocks[last].next = index } else { blocks[parent].firstChild = index }
    blocks[parent].lastChild = index
    return index
  }

  private func canHold(_ parent: Int, _ kind: MarkdownBlock.Kind) -> Bool {
    switch (blocks[parent].kind, kind) {
    case (.list, .item), (.table, .row), (.row, .cell): true
    case (.document, .item), (.quote, .item), (.item, .item), (.footnote, .item): false
    case (.document, _), (.quote, _), (.item, _), (.footnote, _): true
    default: false
    }
  }

  /// Closes the open blocks below the last one that the line continues.
  mutating func closeUnmatched() {
    while tip != lastMatched, tip > 0 {
      close(tip)
      tip = blocks[tip].parent
    }
  }

  mutating func close(_ block: Int) {
    guard blocks[block].isOpen else { return }
    blocks[block].isOpen = false
    let parent = blocks[block].parent
    switch blocks[block].kind {
    case .paragraph:
      if !keepsText(block) {
        extend(parent, to: blocks[block].range.upperBound)
        remove(block)
        return
      }
      trimEnd(of: block)
    case .code(nil): dropBlankEnd(of: block)
    case .list: findTightness(of: block)
    default: break
    }
    if parent >= 0 { extend(parent, to: blocks[block].range.upperBound) }
  }

  private mutating func trimEnd(of block: Int) {
    var end = blocks[block].range.upperBound
    while end > blocks[block].range.lowerBound, source[end - 1].isMarkdownSpace { end -= 1 }
    blocks[block].range = blocks[block].range.lowerBound..<end
  }

  private mutating func dropBlankEnd(of block: Int) {
    var kept = blocks[block].lines
    while let last = kept.last, !source[lines[last].range].contains(where: { !$0.isMarkdownSpace }) {
      kept = kept.lowerBound..<last
    }
    blocks[block].lines = kept
    if let last = kept.last {
      blocks[block].range =
        blocks[block].range
        .lowerBound..<max(
          blocks[block].range.lowerBound, lines[last].range.upperBound)
    }
  }

  /// Removes a paragraph that held definitions only. It is its parent's last child.
  private mutating func remove(_ block: Int) {
    let parent = blocks[block].parent
    var before = -1
    var child = blocks[parent].firstChild
    while child >= 0, child != block {
      before = child
      child = blocks[child].next
    }
    if before >= 0 { blocks[before].next = blocks[block].next } else { blocks[parent].firstChild = blocks[block].next }
    if blocks[parent].lastChild == block { blocks[parent].lastChild = before }
  }

  /// Takes the `[label]: address` lines from the beginning of a paragraph. Returns true if text is left.
  mutating func keepsText(_ block: Int) -> Bool {
    let range = blocks[block].lines
    guard let first = range.first, byteOfSource(lines[first].range.lowerBound) == UInt8(ascii: "[") else {
      return !range.isEmpty
    }
    let content = BlockText(source, lines[range])
    let (used, targets) = references.takeDefinitions(from: content.bytes)
    guard used > 0 else { return true }
    definitions += targets.map(content.source)
    let count = content.bytes[..<used].reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    let left = used >= content.bytes.count ? range.upperBound : first + count
    blocks[block].lines = left..<range.upperBound
    if left < range.upperBound {
      blocks[block].range = lines[left].range.lowerBound..<blocks[block].range.upperBound
    }
    return left < range.upperBound
  }

  private func byteOfSource(_ index: Int) -> UInt8? { index < source.count ? source[index] : nil }
}
