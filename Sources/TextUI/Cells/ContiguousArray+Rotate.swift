extension ContiguousArray {
  /// Makes the element at `first` the first of a range; those before it follow the last.
  mutating func rotate(_ range: Range<Int>, toStartAt first: Int) {
    turnRound(range.lowerBound..<first)
    turnRound(first..<range.upperBound)
    turnRound(range)
  }

  private mutating func turnRound(_ range: Range<Int>) {
    var (low, high) = (range.lowerBound, range.upperBound - 1)
    while low < high {
      swapAt(low, high)
      low += 1
      high -= 1
    }
  }
}
