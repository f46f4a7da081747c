enum BuildVersion {
  /// As in CHANGELOG.md.
  static let number = "0.1.0"
}
