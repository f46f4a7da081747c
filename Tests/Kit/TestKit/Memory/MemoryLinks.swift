internal import Backends
internal import FileStores
internal import Synchronization

/// Links into a club in memory. They open nothing.
struct MemoryLinks: LinkSharing {
  let store: MemoryStore

  func link(to path: StorePath, _ terms: LinkTerms) async throws(StoreError) -> SharedLink {
    try store.checkCancelled("The sharing", path)
    let entry = try await store.entry(at: path)
    guard entry.kind == .file else {
      throw StoreError(.unsupported, "\"\(path)\" is a folder, which no link shares.", path: path)
    }
    if let expires = terms.expires, expires <= store.time {
      throw StoreError(.badInput, "The link would have ended already.", remedy: "Give a later time.", path: path)
    }
    return try store.shared.withLock { (shared) throws(StoreError) in
      if let known = shared.links[path] {
        let fits = terms.expires == nil || terms.expires == known.link.expires
        guard fits, terms.password == nil || terms.password == known.password else {
          throw StoreError(.exists, "\"\(path)\" is shared already, by a link with other settings.", path: path)
        }
        return known.link
      }
      shared.made += 1
      let link = SharedLink(
        url: "https://memory.example/s/\(shared.made)", path: path, expires: terms.expires,
        hasPassword: terms.password != nil)
      shared.links[path] = (link, terms.password)
      return link
    }
  }

  func dropPage(
    into folder: StorePath, _ terms: DropTerms, expires: Timestamp?
  ) async throws(StoreError) -> SharedLink {
    try store.checkCancelled("The asking for photos", folder)
    return store.shared.withLock { shared in
      shared.made += 1
      let page = SharedLink(
        url: "https://memory.example/d/\(shared.made)", path: folder, expires: expires, drop: terms)
      shared.dropPages.append(page)
      return page
    }
  }

  func links(to path: StorePath?) async throws(StoreError) -> [SharedLink] {
    try store.checkCancelled("The listing", path ?? .root)
    if let path { _ = try await store.entry(at: path) }
    let all = store.shared.withLock { $0.links.values.map(\.link).filter { path == nil || $0.path == path } }
    var found: [SharedLink] = []
    for link in all {
      do throws(StoreError) {
        _ = try await store.entry(at: link.path)
        found.append(link)
      } catch {
        guard error.kind == .notFound else { throw error }
      }
    }
    if path == nil { found += store.shared.withLock { $0.dropPages } }
    return found.sorted { $0.url < $1.url }
  }

  func revoke(_ url: String) async throws(StoreError) {
    try store.checkCancelled("The revoking", .root)
    let hasEnded = store.shared.withLock { shared in
      let (path, page) = (
        shared.links.first { $0.value.link.url == url }?.key, shared.dropPages.firstIndex { $0.url == url }
      )
      if let path { shared.links[path] = nil }
      if let page { shared.dropPages.remove(at: page) }
      return path != nil || page != nil
    }
    if !hasEnded { throw StoreError(.notFound, "There is no such link.", remedy: "List the links.") }
  }
}

struct MemoryShares {
  var links: [StorePath: (link: SharedLink, password: String?)] = [:]
  var dropPages: [SharedLink] = []
  var made = 0

  /// Keeps the links of a moved file, or of the files of a moved folder.
  mutating func move(_ path: StorePath, to target: StorePath) {
    for (old, value) in links {
      guard old == path || old.relative(to: path) != nil else { continue }
      let new = old.relative(to: path).map { target.descending($0) } ?? target
      links[old] = nil
      links[new] = (value.link.moved(to: new), value.password)
    }
  }
}
