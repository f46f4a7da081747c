/// The case of letters. A letter stays if its other case is more than one.
enum LetterCase {
  case upper, lower, toggled

  init(_ operation: ViOperator) {
    self = operation == .upper ? .upper : operation == .lower ? .lower : .toggled
  }

  /// Invalid bytes stay.
  func of(_ bytes: [UInt8]) -> [UInt8] {
    var changed: [UInt8] = []
    changed.reserveCapacity(bytes.count)
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var place = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        changed += String(Character(of(Unicode.UTF8.decode(encoded)))).utf8
        place += encoded.count
      case .error(let length):
        changed += bytes[place..<(place + length)]
        place += length
      case .emptyInput: return changed
      }
    }
  }

  private func of(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let properties = scalar.properties
    let goesUp = self == .upper || self == .toggled && properties.isLowercase
    let mapped = (goesUp ? properties.uppercaseMapping : properties.lowercaseMapping).unicodeScalars
    return mapped.count == 1 ? mapped.first ?? scalar : scalar
  }
}
