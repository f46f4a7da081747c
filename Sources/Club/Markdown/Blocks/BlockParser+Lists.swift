extension BlockParser {
  struct ListMark {
    var list: MarkdownList
    var length: Int
  }

  /// The mark of a list item at the first byte that is no space.
  func listMark(in container: Int) -> ListMark? {
    let interruptsText = blocks[container].kind == .paragraph
    let first = byte(nonspace)
    var end = nonspace + 1
    var list = MarkdownList(start: nil, mark: first)
    if first.isDigit {
      var number = 0
      end = nonspace
      while byte(end).isDigit {
        guard end - nonspace < 9 else { return nil }
        number = number * 10 + Int(byte(end) - 0x30)
        end += 1
      }
      list.mark = byte(end)
      guard list.mark == UInt8(ascii: ".") || list.mark == UInt8(ascii: ")") else { return nil }
      end += 1
      list.start = number
      if interruptsText, number != 1 { return nil }
    } else if first != UInt8(ascii: "-"), first != UInt8(ascii: "+"), first != UInt8(ascii: "*") {
      return nil
    }
    guard end >= lineEnd || byte(end).isMarkdownBlank else { return nil }
    if interruptsText, !source[end..<lineEnd].contains(where: { !$0.isMarkdownBlank }) { return nil }
    return ListMark(list: list, length: end - nonspace)
  }

  /// Opens an item, and its list unless the item continues one.
  mutating func openItem(_ mark: ListMark, in container: Int) -> Int {
    let start = nonspace
    let markIndent = indent
    advance(nonspace + mark.length - offset)
    let markEnd = offset
    let saved = (offset, column, isTabSplit)
    while column - saved.1 <= 5, byte(offset).isMarkdownBlank { advance(1, columns: true) }
    let spaces = column - saved.1
    var width = mark.length + spaces
    if spaces >= 5 || spaces < 1 || offset >= lineEnd {
      width = mark.length + 1
      (offset, column, isTabSplit) = saved
      if spaces > 0 { advance(1, columns: true) }
    }
    var list = container
    if !continues(mark.list, container) { list = open(.list(mark.list), in: container, at: start) }
    let item = open(.item(check: nil), in: list, at: start)
    extend(item, to: markEnd)
    blocks[item].indent = markIndent + width
    findCheck(of: item)
    return item
  }

  private func continues(_ list: MarkdownList, _ container: Int) -> Bool {
    guard case .list(let open) = blocks[container].kind else { return false }
    return open.mark == list.mark && (open.start == nil) == (list.start == nil)
  }

  /// A check box at the beginning of an item's text; it does not belong to the text.
  private mutating func findCheck(of item: Int) {
    findNonspace()
    guard indent < 4, nonspace + 2 < lineEnd, byte(nonspace) == UInt8(ascii: "["),
      byte(nonspace + 2) == UInt8(ascii: "]"), byte(nonspace + 3).isMarkdownSpace
    else { return }
    let mark = byte(nonspace + 1)
    guard mark == 0x20 || mark.lowercased == UInt8(ascii: "x") else { return }
    blocks[item].kind = .item(check: MarkdownCheck(isChecked: mark != 0x20, offset: nonspace + 1))
    advance(nonspace + 3 - offset)
    extend(item, to: offset)
  }

  /// Decides if blank lines stand between the items of a list.
  mutating func findTightness(of list: Int) {
    guard case .list(var marks) = blocks[list].kind else { return }
    var item = blocks[list].firstChild
    search: while item >= 0 {
      let hasNext = blocks[item].next >= 0
      if hasNext, endsWithBlank(item) {
        marks.isTight = false
        break
      }
      var child = blocks[item].firstChild
      while child >= 0 {
        if hasNext || blocks[child].next >= 0, endsWithBlank(child) {
          marks.isTight = false
          break search
        }
        child = blocks[child].next
      }
      item = blocks[item].next
    }
    blocks[list].kind = .list(marks)
  }

  private func endsWithBlank(_ block: Int) -> Bool {
    var block = block
    while block >= 0 {
      if blocks[block].endsBlank { return true }
      switch blocks[block].kind {
      case .list, .item: block = blocks[block].lastChild
      default: return false
      }
    }
    return false
  }
}
