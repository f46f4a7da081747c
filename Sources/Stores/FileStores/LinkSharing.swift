/// Shares single files with anyone who has a link's address, and takes photos from anyone who has a drop page's.
public protocol LinkSharing: Sendable {
  /// The member's link to a file: the one that is there, if it has these terms, or a new one. A repeated call gives the same
  /// link, so a call whose answer was lost may be repeated.
  /// - Throws: `notFound`; `exists` if a link with other settings is there; `notPermitted` if the store's owner, or the
  ///   member's account, does not allow links or these settings; `unsupported` for a folder.
  func link(to path: StorePath, _ terms: LinkTerms) async throws(StoreError) -> SharedLink

  /// A new page that takes photos into a folder. A repeated call makes another page.
  /// - Throws: `unsupported` if the store has no such pages; `notPermitted` if its owner, or the member's account, does
  ///   not allow them.
  func dropPage(into folder: StorePath, _ terms: DropTerms, expires: Timestamp?) async throws(StoreError) -> SharedLink

  /// The member's own links into the club, in the store's order; those to one file with `path`. Without it, drop pages,
  /// too.
  /// - Throws: `notFound` if there is no such file.
  func links(to path: StorePath?) async throws(StoreError) -> [SharedLink]

  /// Ends a link: its address opens nothing from then on.
  /// - Throws: `notFound` for an unknown or ended link; `notPermitted` for another member's.
  func revoke(_ url: String) async throws(StoreError)
}

public struct SharedLink: Sendable, Hashable {
  /// For a browser.
  public let url: String
  public let path: StorePath
  /// nil for never.
  public let expires: Timestamp?
  public let hasPassword: Bool
  /// Of a drop page, whose path is its folder; nil for a link to a file.
  public let drop: DropTerms?

  public init(
    url: String, path: StorePath, expires: Timestamp? = nil, hasPassword: Bool = false, drop: DropTerms? = nil
  ) {
    (self.url, self.path, self.expires, self.hasPassword, self.drop) = (url, path, expires, hasPassword, drop)
  }

  public func moved(to path: StorePath) -> SharedLink {
    SharedLink(url: url, path: path, expires: expires, hasPassword: hasPassword, drop: drop)
  }
}

/// The terms of a drop page: a page where a phone without an account leaves photos.
public struct DropTerms: Sendable, Hashable {
  /// The giver's name; nil if the giver types it.
  public var giver: String?
  /// Of all photos together; nil as the store has it.
  public var mostBytes: UInt64?

  public init(giver: String? = nil, mostBytes: UInt64? = nil) { (self.giver, self.mostBytes) = (giver, mostBytes) }
}

/// The terms that a member sets for a link. A link that is there may have any value where none is set.
public struct LinkTerms: Sendable, Hashable {
  public var expires: Timestamp?
  public var password: String?

  public init(expires: Timestamp? = nil, password: String? = nil) {
    (self.expires, self.password) = (expires, password)
  }
}

/// Keeps the password out of logs that describe terms.
extension LinkTerms: CustomStringConvertible, CustomReflectable {
  public var description: String { "LinkTerms" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

struct RetryingLinks: CapabilityWrapper, LinkSharing {
  let base: any LinkSharing
  let store: RetryingStore

  func revoke(_ url: String) async throws(StoreError) {
    // Afterwards, `notFound` can only mean that a link that was there has ended.
    let existed = try await links(to: nil).contains { $0.url == url }
    try await store.retrying { _ throws(StoreError) in
      do throws(StoreError) {
        try await base.revoke(url)
      } catch {
        guard existed, error.kind == .notFound else { throw error }
      }
    }
  }
}
