/// The version of both programs; scripts/package reads it here.
public enum BuildVersion {
  /// As in CHANGELOG.md.
  public static let number = "0.1.0"
}
