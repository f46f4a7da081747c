/// What this build is.
enum BuildVersion {
  /// The version, as in CHANGELOG.md.
  static let number = "0.1.0"
}
