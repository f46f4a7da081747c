internal import Glibc

/// Proxies as the environment names them, the way curl and most programs read it.
public struct HTTPProxies: Sendable, Hashable {
  /// For `https` addresses.
  public var encrypted: String?
  /// For `http` addresses.
  public var plain: String?
  /// Hosts, domains and networks that are reached without one, separated by commas; `*` for all.
  public var except: String

  /// No proxy, unless one is named.
  public init(encrypted: String? = nil, plain: String? = nil, except: String = "") {
    self.encrypted = encrypted
    self.plain = plain
    self.except = except
  }

  /// Reads `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`. All but `http_proxy` may be in capitals, too: that
  /// one a web server sets from a request's header. An empty variable counts as not set.
  public init(environment: (String) -> String?) {
    func value(_ names: String...) -> String? {
      for name in names {
        if let value = environment(name), !value.isEmpty { return value }
      }
      return nil
    }
    encrypted = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
    plain = value("http_proxy", "all_proxy", "ALL_PROXY")
    except = value("no_proxy", "NO_PROXY") ?? ""
  }

  /// What this process's environment says now.
  public static func fromEnvironment() -> HTTPProxies {
    HTTPProxies { name in getenv(name).map { String(cString: $0) } }
  }

  /// The proxy for an origin. This machine itself is never reached through one: what is meant to stay on it would
  /// leave it.
  func proxy(for origin: HTTPOrigin) -> String? {
    origin.isLoopback ? nil : origin.isEncrypted ? encrypted : plain
  }
}
