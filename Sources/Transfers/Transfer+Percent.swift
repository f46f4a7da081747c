extension Transfer {
  /// How much of it is done: 0 to 99, and 100 when the store has said that the file is there. nil while it is not known
  /// how much there is.
  package var percent: Int? {
    if state == .done { return 100 }
    return total.map { $0 == 0 ? 0 : min(99, Int(Double(sent) / Double($0) * 100)) }
  }
}
