import Basics

/// application/x-www-form-urlencoded, for queries and bodies.
enum FormEncoding {
  /// `a=1&b=two%20words`, without nil values.
  static func text(_ fields: KeyValuePairs<String, String?>) -> String {
    PercentEncoding.form(fields.compactMap { name, value in value.map { (name, $0) } })
  }

  /// nil for a broken escape, invalid UTF-8, or a duplicate name.
  static func fields(of text: Substring) -> [String: String]? {
    var fields: [String: String] = [:]
    for pair in PercentEncoding.pairs(ofForm: text) {
      guard let name = pair.name, let value = pair.value, fields.updateValue(value, forKey: name) == nil else {
        return nil
      }
    }
    return fields
  }
}
