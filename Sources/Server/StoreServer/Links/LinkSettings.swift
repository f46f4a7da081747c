/// The settings that a member asks for a shared link: the API's `SharedLinkSettings`.
struct LinkSettings: Sendable {
  /// In seconds since 1970; nil leaves it as it is.
  private(set) var expires: Int64?
  private(set) var password: String?
  private(set) var removesPassword = false
  private(set) var removesExpiry = false

  private static let longestPassword = 1000

  /// True if a link with any settings will do.
  var isPlain: Bool { expires == nil && password == nil }

  init() {}

  /// The settings for a new link.
  /// - Throws: `settings_error` for settings that make no sense or that this server does not offer.
  static func new(_ argument: Argument, at now: Int64) throws(APIFailure) -> LinkSettings {
    guard let settings = try argument.optionalObject("settings") else { return LinkSettings() }
    return try LinkSettings(settings, at: now)
  }

  /// The settings for a link that is there.
  static func change(_ argument: Argument, at now: Int64) throws(APIFailure) -> LinkSettings {
    var settings = try LinkSettings(try argument.object("settings"), at: now)
    settings.removesExpiry = try argument.bool("remove_expiration", default: false)
    guard settings.expires == nil || !settings.removesExpiry else { throw LinkSettings.fault("invalid_settings") }
    return settings
  }

  private init(_ argument: Argument, at now: Int64) throws(APIFailure) {
    try readVisibility(argument)
    if let text = try argument.optionalString("expires") {
      guard let expires = WireTime.seconds(text) else {
        throw argument.fault("expires", "time data '\(text)' does not match format '%Y-%m-%dT%H:%M:%SZ'")
      }
      guard expires > now else { throw LinkSettings.fault("invalid_settings") }
      self.expires = expires
    }
    // A link shows the file and lets it be downloaded; byteclub has no teams, and nobody edits without a token.
    guard try argument.bool("allow_download", default: true),
      try argument.tag("access", among: ["viewer", "editor", "max", "default"], default: "viewer").0 != "editor"
    else { throw LinkSettings.fault("not_authorized") }
  }

  private mutating func readVisibility(_ argument: Argument) throws(APIFailure) {
    let audience = try argument.tag(
      "audience", among: ["public", "team", "no_one", "password", "members"], default: "public"
    ).0
    let visibility = try argument.tag(
      "requested_visibility", among: ["public", "team_only", "password"], default: "public"
    ).0
    guard [audience, visibility].allSatisfy({ $0 == "public" || $0 == "password" }) else {
      throw LinkSettings.fault("not_authorized")
    }
    password = try argument.optionalString("link_password")
    let isAsked = audience == "password" || visibility == "password"
    let isWanted = try argument.bool("require_password", default: isAsked || password != nil)
    if isWanted {
      guard let password, !password.isEmpty, password.utf8.count <= LinkSettings.longestPassword else {
        throw LinkSettings.fault("invalid_settings")
      }
    } else {
      guard password == nil, !isAsked else { throw LinkSettings.fault("invalid_settings") }
      removesPassword = argument.has("require_password") || argument.has("requested_visibility")
    }
  }

  private static func fault(_ tag: String) -> APIFailure { .route(Tagged("settings_error", Tagged(tag))) }
}
