/// Names that are paths: in a sorted table, the names below a folder follow each other.
extension NameTable {
  /// The order of a sorted table's names, by their folders.
  public enum FolderOrder: Sendable {
    /// No name has a folder.
    case flat
    /// The names below each folder are one range.
    case grouped
    /// Names of folders that differ in letter case or leading zeros alone lie among each other.
    case mixed
  }

  /// Looks at each name once.
  public var folderOrder: FolderOrder {
    arena.withUnsafeBufferPointer { bytes in
      guard bytes.contains(NameTable.slash) else { return .flat }
      var entered: Set<Int> = []
      var before = 0..<0
      for row in 0..<count {
        let name = range(of: row)
        var end = name.lowerBound
        let limit = end + min(before.count, name.count)
        while end < limit, bytes[end] == bytes[end - name.lowerBound + before.lowerBound] { end += 1 }
        // The name before was in none of these folders. Equal hashes of two of them cost only time.
        for index in end..<name.upperBound where bytes[index] == NameTable.slash {
          var hasher = Hasher()
          let folder = UnsafeRawBufferPointer(bytes)[name.lowerBound..<index]
          hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: folder))
          if !entered.insert(hasher.finalize()).inserted { return .mixed }
        }
        before = name
      }
      return .grouped
    }
  }

  /// The rows of a sorted table below a folder; all for the empty path. In a mixed table they may include those of
  /// folders that differ in letter case or leading zeros alone. Visits few names.
  public func rows(below folder: [UInt8]) -> Range<Int> {
    guard !folder.isEmpty else { return 0..<count }
    let key = SortKeys.key(of: (folder + [NameTable.slash])[...])
    let start = (0..<count).bisected { SortKeys.key(of: self[$0]).prefix(key.count).lexicographicallyPrecedes(key) }
    let end = (start..<count).bisected { SortKeys.key(of: self[$0]).starts(with: key) }
    return start..<end
  }

  private static let slash = UInt8(ascii: "/")
}

extension Range<Int> {
  /// The first number for which the condition no longer holds. It holds for none behind that.
  public func bisected(_ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
