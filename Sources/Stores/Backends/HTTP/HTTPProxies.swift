internal import POSIX

/// Proxies from the environment, read as curl and most programs do.
public struct HTTPProxies: Sendable, Hashable {
  public var encrypted: String?
  public var plain: String?
  /// Hosts, domains and networks without a proxy, separated by commas; `*` for all.
  public var except: String

  public init(encrypted: String? = nil, plain: String? = nil, except: String = "") {
    self.encrypted = encrypted
    self.plain = plain
    self.except = except
  }

  /// Reads `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`; empty counts as unset. Capitals are accepted except
  /// for `http_proxy`, because web servers set `HTTP_PROXY` from a request's header.
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

  public static func fromEnvironment() -> HTTPProxies {
    HTTPProxies { name in getenv(name).map { String(cString: $0) } }
  }

  /// The proxy for an origin. Loopback never uses a proxy, because local traffic would leave the machine.
  func proxy(for origin: HTTPOrigin) -> String? {
    origin.isLoopback ? nil : origin.isEncrypted ? encrypted : plain
  }
}
