import ArgumentParser
import Backends
import Basics
import FileStores
import StoreServer

struct HookOptions: ParsableArguments {
  private static let mostKeyBytes = 4096

  @Option(
    help: ArgumentHelp(
      "Post what happens in the clubs to this address: a JSON document for each batch of events, signed.",
      valueName: "url"))
  var hook: String?
  @Option(
    help: ArgumentHelp("The file with the key of the hook's signatures: at least 16 characters.", valueName: "file"),
    completion: .file())
  var hookKey: String?
  @Flag(help: "Let the hook be an address of this machine or its network, also without TLS.") var hookPrivate = false

  func check() throws {
    guard let hook else {
      guard hookKey == nil, !hookPrivate else { throw ValidationError("--hook-key and --hook-private need --hook.") }
      return
    }
    guard hookKey != nil else {
      throw ValidationError("--hook needs --hook-key FILE. Make a key, such as with: openssl rand -hex 32")
    }
    guard let origin = HTTPOrigin(hook) else {
      throw ValidationError("--hook needs an address such as https://HOST/PATH, and \"\(hook)\" is none.")
    }
    guard origin.isEncrypted || hookPrivate else {
      throw ValidationError("\(origin) has no TLS. Use https://, or add --hook-private if you trust the network.")
    }
  }

  /// nil without a hook. Reads the key.
  func eventHook() throws -> EventHook? {
    guard let hook, let hookKey else { return nil }
    let web = PublicWeb(allowsPrivate: hookPrivate)
    return try validated { () throws(StoreError) in
      try EventHook(
        key: try HookOptions.key(in: hookKey),
        post: { (body, headers) throws(StoreError) in try await web.post(body, to: hook, headers) })
    }
  }

  /// The first line.
  private static func key(in file: String) throws(StoreError) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try OpenFile(reading: file).readAll(limit: mostKeyBytes) } catch {
      throw StoreError(
        .badInput, "The key of the hook, \"\(file)\", cannot be read: \(error).",
        remedy: "Name its file with --hook-key.")
    }
    guard let bytes else {
      throw StoreError(
        .tooLarge, "The file \"\(file)\" has more than \(mostKeyBytes) bytes, so it is no key of a hook.",
        remedy: "Name another file with --hook-key.")
    }
    return Array(bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
  }
}
