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
    origin.isLoopback || isExcepted(origin) ? nil : origin.isEncrypted ? encrypted : plain
  }

  /// True if `except` names an origin. libcurl, which compares, too, knows no ports and no stars but one for all; networks
  /// such as 10.0.0.0/8 are left to it.
  private func isExcepted(_ origin: HTTPOrigin) -> Bool {
    except.lowercased().split { $0 == "," || $0.isWhitespace }.contains { entry in
      var name = entry
      let colon = entry.lastIndex(of: ":") ?? entry.startIndex
      // An address of IPv6 with a port has brackets.
      if let port = UInt16(entry[colon...].dropFirst()),
        entry[..<colon].allSatisfy({ $0 != ":" }) || entry[..<colon].hasSuffix("]")
      {
        guard port == origin.port else { return false }
        name = entry[..<colon]
      }
      return HTTPProxies.fits(name, origin.host)
    }
  }

  private static func fits(_ name: Substring, _ host: String) -> Bool {
    if let address = IPAddress.bytes(host) {
      return address == IPAddress.bytes(String(name)) || fnmatch(String(name), host, 0) == 0
    }
    let domain = name.hasPrefix("*.") ? name.dropFirst(2) : name.hasPrefix(".") ? name.dropFirst() : name
    return !domain.isEmpty && (host == domain || host.hasSuffix(".\(domain)") || fnmatch(String(domain), host, 0) == 0)
  }
}
