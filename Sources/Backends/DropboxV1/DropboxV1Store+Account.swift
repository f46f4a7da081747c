public import FileStores
internal import JSON

extension DropboxV1Store {
  /// Who is signed in: a name for people, and an address where the server tells one.
  /// - Throws: `notSignedIn` among others.
  public func account() async throws(StoreError) -> (name: String, email: String?) {
    let call = DropboxV1Call(.account, about: .root, [:])
    let json = try await client.result(call)
    guard let name = json["display_name"]?.text else { throw client.fault.nonsense("no name", call) }
    return (name, json["email"]?.text)
  }
}
