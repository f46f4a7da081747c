internal import Basics
internal import FileStores

struct WebDAVForm: StoreForm {
  let title = "Nextcloud or WebDAV"
  let about =
    "A folder at a WebDAV server. Of a Nextcloud, the address in your browser is enough; make an app password for "
    + "byteclub in its settings."
  let fields = [
    StoreFormField("url", "Address", example: "https://cloud.example.org", .required, isAddress: true),
    StoreFormField("user", "Your name there", example: "ann", .required, isPersonal: true), .pin,
  ]

  /// The folder of a Nextcloud's member for whom nothing else is named.
  private static let usualFolder = "ByteClub"
  /// Stands for the member's name in the address of a line for a friend.
  private static let anyone = "{user}"

  func completed(_ store: StoreDescription) -> StoreDescription {
    guard let typed = store.options["url"] else { return store }
    var store = store
    var address = TypedAddress.completed(typed)
    if let user = store.options["user"] {
      let name = PercentEncoding.encoded(user)
      address = WebDAVForm.nextcloudFolder(address, name) ?? address.replacing(WebDAVForm.anyone, with: name)
    }
    store.options["url"] = address
    return store
  }

  /// The member's folder, for an address without a path or of Nextcloud's page of files
  /// (`/apps/files/files/7?dir=/Club`); nil for any other.
  private static func nextcloudFolder(_ address: String, _ name: String) -> String? {
    guard let origin = HTTPOrigin(address) else { return nil }
    let rest = address.dropFirst(origin.description.count).prefix { $0 != "#" }
    let path = rest.prefix { $0 != "?" }
    let page = path.firstRange(of: "/apps/files")
    guard path.isEmpty || page != nil else { return nil }
    var root = String(path[..<(page?.lowerBound ?? path.endIndex)])
    if root.hasSuffix("/index.php") { root.removeLast("/index.php".count) }
    let query = rest.dropFirst(path.count + 1).split(separator: "&")
    let folder = query.first { $0.hasPrefix("dir=") }.flatMap { PercentEncoding.decoded($0.dropFirst("dir=".count)) }
    let parts = PathText.parts(folder ?? "")
    return "\(origin)\(root)/remote.php/dav/files/\(name)/"
      + (parts.isEmpty ? [usualFolder] : parts).map { PercentEncoding.encoded($0) }.joined(separator: "/")
  }

  func folderName(of store: StoreDescription) -> String {
    ((try? WebDAVAddress(store))?.base.last).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  func look(
    at store: StoreDescription, _ transport: any HTTPTransport
  ) async throws(StoreError) -> [StoreFormFinding] {
    let address = try WebDAVAddress(store)
    let place = address.origin.place
    var request = HTTPRequest(.propfind, address.url(.root, isFolder: true), headers: ["Depth": "0"])
    request.isRepeatable = true
    let (response, _) = try await transport.call(request, limit: 1 << 20)
    switch response.status {
    case 401: return [StoreFormFinding("\(place) answers, and asks for your password.")]
    case 207: return [StoreFormFinding("\(place) shows this folder to everybody, without a password.", about: "url")]
    case 403: return [StoreFormFinding("\(place) answers, but shows this folder to nobody without a sign-in.")]
    case 404, 409:
      return [StoreFormFinding("\(place) has no such folder yet. byteclub makes it after the sign-in.", about: "url")]
    case 300...399:
      let other = response.headers["Location"].flatMap { HTTPOrigin($0) }.map { ", \($0)" } ?? ""
      return [
        StoreFormFinding(
          "\(place) sends byteclub on to another address\(other), which byteclub does not follow. Type that one.",
          about: "url", isError: true)
      ]
    case 429, 500, 502...510, 512...599: return [.busy(place, response)]
    default: return [.other(place, "a WebDAV server", response)]
    }
  }

  func friends(_ store: StoreDescription) -> (store: StoreDescription, sentence: String) {
    let user = store.options["user"].map { Array($0.utf8) }
    guard let address = try? WebDAVAddress(store),
      let place = address.base.indices.dropFirst().first(where: {
        address.base[$0] == user && address.base[$0 - 1] == Array("files".utf8)
      })
    else { return (store, "Your friend needs a name and a password there, with which the folder can be used.") }
    var parts = address.base.map { PercentEncoding.encoded(String(decoding: $0, as: UTF8.self)) }
    parts[place] = WebDAVForm.anyone
    var theirs = store
    theirs.options["url"] = "\(address.origin)/\(parts.joined(separator: "/"))"
    return (
      theirs,
      "Share the folder with your friend there. In their address their own name stands instead of yours; if the folder has "
        + "another name or place among their files, they correct the address."
    )
  }
}
