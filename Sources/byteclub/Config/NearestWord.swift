/// Which known word was probably meant.
enum NearestWord {
  /// The word of `known` that takes the fewest changes of a letter; nil when none is near (more than a third of its
  /// letters would change). Letter case does not count as a change; the first of several equally near ones is taken.
  static func to(_ word: String, in known: some Sequence<String>) -> String? {
    var best: (word: String, changes: Int)?
    for candidate in known {
      let changes = distance(Array(word.lowercased()), Array(candidate.lowercased()))
      guard changes <= max(1, (candidate.count + 1) / 3), changes < best?.changes ?? .max else { continue }
      best = (candidate, changes)
    }
    return best?.word
  }

  /// Letters added, left out, changed, or swapped with their neighbour (optimal string alignment).
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var before: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var least = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          least = min(least, before[column - 1] + 1)
        }
        current.append(least)
      }
      (before, last) = (last, current)
    }
    return last[right.count]
  }
}
