internal import FileStores
internal import JSON
internal import Synchronization

/// The names of accounts that wrote files. The API puts only ids beside files; an unknown name is left out.
final class DropboxAuthors: Sendable {
  private static let together = 300
  private static let most = 4096

  private struct State {
    /// nil for an account without a name, which is not looked up again.
    var names: [String: String?] = [:]
    var isRefused = false
  }

  private let state = Mutex(State())

  func name(of account: String?) -> String? {
    guard let account else { return nil }
    return state.withLock { $0.names[account] ?? nil }
  }

  /// Looks up the accounts that are new here, once each. Errors leave the names unknown.
  func learn(_ files: some Sequence<DropboxMetadata>, _ client: DropboxClient) async {
    let unknown = unknown(in: files)
    guard !unknown.isEmpty else { return }
    let call = DropboxCall(
      .accounts, .members(["account_ids": .array(unknown.map { .string($0) })]), about: .root)
    do throws(StoreError) {
      switch try await client.answer(call) {
      case .result(let json): note(json.elements ?? [], asked: unknown)
      // One missing account refuses the whole request. The next page asks for the others.
      case .refusal(let refusal): forget(refusal.tags.last, asked: unknown)
      }
    } catch {
      // Without the permission "sharing.read", every request of this kind is refused.
      if [.notPermitted, .notSignedIn, .unsupported].contains(error.kind) { state.withLock { $0.isRefused = true } }
    }
  }

  private func unknown(in files: some Sequence<DropboxMetadata>) -> [String] {
    state.withLock { state in
      guard !state.isRefused else { return [] }
      var unknown: Set<String> = []
      for file in files {
        guard let author = file.author, state.names[author] == nil else { continue }
        unknown.insert(author)
        if unknown.count == DropboxAuthors.together { break }
      }
      return unknown.sorted()
    }
  }

  private func note(_ accounts: [JSONValue], asked: [String]) {
    state.withLock { state in
      if state.names.count + asked.count > DropboxAuthors.most { state.names = [:] }
      for id in asked { state.names[id] = .some(nil) }
      for account in accounts {
        guard let id = account["account_id"]?.text, let name = account["name"]?["display_name"]?.text, !name.isEmpty
        else { continue }
        state.names[id] = name
      }
    }
  }

  private func forget(_ gone: String?, asked: [String]) {
    state.withLock { state in
      guard let gone, asked.contains(gone) else {
        state.isRefused = true
        return
      }
      state.names[gone] = .some(nil)
    }
  }
}
