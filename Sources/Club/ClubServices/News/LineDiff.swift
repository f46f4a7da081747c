internal import Merge

/// The changed lines of a text.
public struct LineDiff: Sendable, Hashable {
  /// The changed and added lines of the new text, from 0, sorted and never adjacent. An empty range marks removed lines
  /// before it.
  public let ranges: [Range<Int>]

  public init(from old: [UInt8], to new: [UInt8]) {
    // Comparing numbers is cheaper than comparing lines.
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    func lines(_ text: [UInt8]) -> [Int] {
      text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
        if let known = numbers[line] { return known }
        numbers[line] = numbers.count
        return numbers.count - 1
      }
    }
    let (old, new) = (lines(old), lines(new))
    var ranges: [Range<Int>] = []
    var (left, right) = (0, 0)
    let kept = SequenceDiff.partners(old, new).enumerated().compactMap { line, partner in partner.map { (line, $0) } }
    for (line, partner) in kept + [(old.count, new.count)] {
      if line > left || partner > right { ranges.append(right..<partner) }
      (left, right) = (line + 1, partner + 1)
    }
    self.ranges = ranges
  }

  public var isEmpty: Bool { ranges.isEmpty }

  public func contains(_ lines: ClosedRange<Int>) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= lines.lowerBound { low = middle + 1 } else { high = middle }
    }
    return ranges[low...].first { !$0.isEmpty }.map { $0.lowerBound <= lines.upperBound } ?? false
  }

  /// The first line of the next change after a line, or of the last change before it.
  public func next(after line: Int, backwards: Bool = false) -> Int? {
    backwards
      ? ranges.last { $0.lowerBound < line }?.lowerBound : ranges.first { $0.lowerBound > line }?.lowerBound
  }
}
