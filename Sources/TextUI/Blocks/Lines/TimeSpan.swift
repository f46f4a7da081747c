/// Lengths of time as people read them.
public enum TimeSpan {
  private static let units: [(seconds: Int, name: String)] = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]

  /// `4 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`: two units at most, a second one of zero left out; `> 99 d` for what is
  /// longer. Less than nothing counts as nothing.
  public static func text(seconds: Int) -> String {
    let seconds = max(0, seconds)
    guard seconds < 100 * 86_400 else { return "> 99 d" }
    guard let first = units.firstIndex(where: { seconds >= $0.seconds }) else { return "0 s" }
    let text = "\(seconds / units[first].seconds) \(units[first].name)"
    guard first + 1 < units.count else { return text }
    let rest = seconds % units[first].seconds / units[first + 1].seconds
    return rest == 0 ? text : text + " \(rest) \(units[first + 1].name)"
  }
}
