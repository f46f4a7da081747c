/// What the command line says about where to start.
struct StartOptions: Sendable, Equatable {
  /// `--config`.
  var config: String?
  /// `--club`.
  var club: String?
  /// `--folder`.
  var folder: String?
}
