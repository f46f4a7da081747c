/// A version's number as the API writes it: hexadecimal, the last eight digits being the namespace's.
enum Rev {
  private static let suffix = "00000001"

  static func text(_ number: Int64) -> String {
    let digits = String(UInt64(bitPattern: number), radix: 16)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits + suffix
  }

  /// The number; nil for what is no rev at all, 0 for one that cannot be ours.
  static func number(_ text: String) -> Int64? {
    guard text.utf8.count >= 9, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
      return nil
    }
    guard text.hasSuffix(suffix), let number = Int64(text.dropLast(suffix.utf8.count), radix: 16) else { return 0 }
    return number
  }
}
