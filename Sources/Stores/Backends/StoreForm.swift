internal import Basics
public import FileStores

/// The form in which a member names the place of a club of one kind.
public protocol StoreForm: Sendable {
  var title: String { get }
  /// A sentence or two below the title.
  var about: String { get }
  /// In the order of the form. The key of each is a setting of the kind, and none is a program.
  var fields: [StoreFormField] { get }

  /// The place that a member means who typed these values.
  func completed(_ store: StoreDescription) -> StoreDescription
  /// The name of the club's folder, for the name of the club; empty if it has none.
  func folderName(of store: StoreDescription) -> String
  /// Asks the server one question without a sign-in. The store has passed the checks of its kind.
  /// - Throws: the transport's errors.
  func look(
    at store: StoreDescription, _ transport: any HTTPTransport
  ) async throws(StoreError) -> [StoreFormFinding]
  /// The place for a friend, and a sentence for the member about what the friend needs there.
  func friends(_ store: StoreDescription) -> (store: StoreDescription, sentence: String)
}

extension StoreForm {
  public func look(
    at store: StoreDescription, _ transport: any HTTPTransport
  ) async throws(StoreError) -> [StoreFormFinding] { [] }
}

public struct StoreFormField: Sendable, Hashable {
  public enum Use: Sendable, Hashable {
    case required, optional
    /// Shown only with a value.
    case rare
  }

  /// The key of the setting.
  public let key: String
  public let label: String
  public let example: String
  public let use: Use
  /// True for the member's own, which no line for a friend has.
  public let isPersonal: Bool
  /// True for the address of the server: errors of the network are about it.
  public let isAddress: Bool

  init(
    _ key: String, _ label: String, example: String, _ use: Use = .optional, isPersonal: Bool = false,
    isAddress: Bool = false
  ) {
    (self.key, self.label, self.example, self.use) = (key, label, example, use)
    (self.isPersonal, self.isAddress) = (isPersonal, isAddress)
  }

  static let pin = StoreFormField("pin", "Key of the server", example: "sha256//...", .rare)
}

public struct StoreFormFinding: Sendable, Hashable {
  /// The key of the field that it is about; nil for all of them.
  public let key: String?
  public let sentence: String
  /// False for good news and warnings.
  public let isError: Bool

  init(_ sentence: String, about key: String? = nil, isError: Bool = false) {
    (self.key, self.sentence, self.isError) = (key, sentence, isError)
  }

  static func busy(_ place: String, _ response: HTTPResponse) -> StoreFormFinding {
    StoreFormFinding("\(place) answers, but cannot work now (status \(response.status)).")
  }

  static func other(_ place: String, _ kind: String, _ response: HTTPResponse) -> StoreFormFinding {
    StoreFormFinding(
      "Something else than \(kind) answers at \(place) (status \(response.status)). Check the address. In a hotel "
        + "or on a train, open a page in a browser first to get into the network.", isError: true)
  }
}

/// An address as people type it.
enum TypedAddress {
  /// With `https://` where there is no scheme, without slashes at the end, and with escapes for what an address cannot
  /// hold.
  static func completed(_ text: String) -> String {
    var address = ""
    for byte in (text.contains("://") ? text : "https://" + text).utf8 {
      address += 0x21...0x7E ~= byte ? String(UnicodeScalar(byte)) : PercentEncoding.escape(byte)
    }
    while address.hasSuffix("/") { address.removeLast() }
    guard let origin = HTTPOrigin(address), let scheme = address.firstRange(of: "://") else { return address }
    return origin.description + address[scheme.upperBound...].drop { !"/?#".contains($0) }
  }
}
