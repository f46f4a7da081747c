import FileStores

struct ChaosReader {
  /// - Throws: `badInput` with the wrong part and the right form.
  static func read(_ text: String) throws(StoreError) -> [ChaosRule] {
    var rules: [ChaosRule] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let part = String(part.drop { $0 == " " })
      rules.append(try rule(part))
    }
    return rules
  }

  private static func rule(_ part: String) throws(StoreError) -> ChaosRule {
    let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let head = sides[0].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let fault = ChaosFault(rawValue: head[0]) else {
      let known = ChaosFault.allCases.map(\.rawValue).joined(separator: ", ")
      throw wrong(part, "--chaos has no fault \"\(head[0])\".", "The faults are \(known).")
    }
    var rule = ChaosRule(fault: fault)
    if head.count == 2 {
      guard head[1].hasPrefix("/"), RouteTable.all.routes.contains(where: { matches(head[1], $0) }) else {
        throw wrong(
          part, "The server has no route \"\(head[1])\".",
          "Give a path such as /2/files/upload, or a beginning: /2/files/*.")
      }
      rule.place = head[1]
    }
    var hasProbability = false
    for word in sides.dropFirst().flatMap({ $0.split(separator: ":", omittingEmptySubsequences: false) }) {
      if let probability = Double(word), (0...1).contains(probability), !hasProbability, rule.amount == nil {
        (rule.probability, hasProbability) = (probability, true)
      } else if rule.amount == nil, let amount = amount(word, fault.amount) {
        rule.amount = amount
      } else {
        throw wrong(part, "\"\(word)\" is not a value of this fault.", form(fault))
      }
    }
    if fault.needsAmount, rule.amount ?? 0 == 0 { throw wrong(part, "The amount is missing.", form(fault)) }
    return rule
  }

  private static func matches(_ place: String, _ route: Route) -> Bool {
    ChaosRule(fault: .drop, place: place).applies(to: route.path) || route.isPrefix && place.hasPrefix(route.path)
  }

  private static func amount(_ word: Substring, _ kind: ChaosFault.Amount) -> UInt64? {
    let digits = word.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let scale: Double
    switch (kind, String(word.dropFirst(digits.count))) {
    case (.time, "ms"), (.bytes, "B"): scale = 1
    case (.time, "s"), (.bytes, "kB"): scale = 1000
    case (.bytes, "KiB"): scale = 1024
    case (.bytes, "MiB"): scale = 1_048_576
    default: return nil
    }
    guard let number = Double(digits), number.isFinite, number * scale <= 1e12 else { return nil }
    return UInt64(number * scale)
  }

  private static func form(_ fault: ChaosFault) -> String {
    let units: String
    switch fault.amount {
    case .none: units = "P is the probability, from 0 to 1."
    case .time: units = "P is the probability, from 0 to 1; TIME is such as 200ms or 5s."
    case .bytes: units = "P is the probability, from 0 to 1; BYTES is such as 500B, 64KiB or 2MiB."
    }
    return "Write it as \(fault.help.form). \(units)"
  }

  private static func wrong(_ part: String, _ what: String, _ remedy: String) -> StoreError {
    StoreError(.badInput, "The part \"\(part)\" of --chaos is wrong. \(what)", remedy: remedy)
  }
}
