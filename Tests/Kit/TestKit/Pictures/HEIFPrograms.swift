import POSIX

/// libheif's own programs: they make HEIC and AVIF files, and decode them for comparison.
public enum HEIFPrograms {
  public static let areThere = ["heif-enc", "heif-convert"].allSatisfy { access("/usr/bin/" + $0, X_OK) == 0 }

  public struct Failed: Error { let said: String }

  /// A file of that kind (`heic` or `avif`), made from a PNG.
  public static func file(_ png: [UInt8], _ ending: String = "heic", _ options: [String] = []) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write("in.png", png)
    let out = folder.file("out.\(ending)")
    try run("heif-enc", options + [folder.file("in.png"), "-o", out])
    guard let bytes = folder.bytes("out.\(ending)") else { throw Failed(said: "no file") }
    return bytes
  }

  /// The PNG that the program makes of a file.
  public static func decoded(_ file: [UInt8], _ ending: String = "heic") throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write("in.\(ending)", file)
    try run("heif-convert", [folder.file("in.\(ending)"), folder.file("out.png")])
    guard let bytes = folder.bytes("out.png") else { throw Failed(said: "no file") }
    return bytes
  }

  private static func run(_ name: String, _ arguments: [String]) throws {
    let outcome = try Spawn("/usr/bin/" + name, arguments, environment: ["LC_ALL": "C.UTF-8"]).finish()
    guard outcome.status == 0 else { throw Failed(said: "\(name): \(outcome.said)") }
  }
}

/// Writes HEIF files of every kind around pictures that heif-enc has coded.
public struct HandmadeHEIF: Sendable {
  public struct Item: Sendable {
    public var id: Int
    public var kind: String
    public var data: [UInt8]
    /// The numbers of its properties, counted from 1.
    public var properties: [Int]
    /// Instead of the data's own length.
    public var length: Int?

    public init(_ id: Int, _ kind: String, _ data: [UInt8], _ properties: [Int] = []) {
      (self.id, self.kind, self.data, self.properties) = (id, kind, data, properties)
    }
  }

  public var brand = "heic"
  public var primary = 1
  public var items: [Item] = []
  /// Whole boxes.
  public var properties: [[UInt8]] = []
  public var references: [(kind: String, from: Int, to: [Int])] = []

  public init() {}

  /// One picture of a file that heif-enc made, which has no other items: its properties are the coding's and the size.
  public init(coded: [UInt8], _ width: Int, _ height: Int) {
    properties = [Self.found("hvcC", in: coded), Self.size(width, height)]
    items = [Item(1, "hvc1", Array(Self.found("mdat", in: coded).dropFirst(8)), [1, 2])]
  }

  private static func found(_ kind: String, in file: [UInt8]) -> [UInt8] {
    let word = Array(kind.utf8)
    guard let at = file.indices.first(where: { $0 >= 4 && file[$0...].starts(with: word) }) else { return [] }
    let size = file[(at - 4)..<at].reduce(0) { $0 << 8 | Int($1) }
    return Array(file[(at - 4)..<min(file.count, at - 4 + size)])
  }

  public static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  public static func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
    big(8 + body.count, 4) + Array(kind.utf8) + body
  }

  /// A box with a version.
  public static func full(_ kind: String, _ body: [UInt8], version: Int = 0) -> [UInt8] {
    box(kind, [UInt8(version), 0, 0, 0] + body)
  }

  public static func size(_ width: Int, _ height: Int) -> [UInt8] { full("ispe", big(width, 4) + big(height, 4)) }

  /// The name of an auxiliary picture's kind.
  public static func auxiliary(_ name: String) -> [UInt8] { full("auxC", Array(name.utf8) + [0]) }

  /// Adds a property to an item.
  public mutating func add(_ property: [UInt8], to item: Int) {
    properties.append(property)
    for index in items.indices where items[index].id == item { items[index].properties.append(properties.count) }
  }

  private func meta(at start: Int) -> [UInt8] {
    let (big, box, full) = (Self.big, Self.box, { Self.full($0, $1, version: $2) })
    let tiles = Set(references.filter { $0.kind == "dimg" }.flatMap(\.to))
    let names = items.flatMap { item in
      let body = big(item.id, 2) + big(0, 2) + Array(item.kind.utf8) + [0] + type(of: item)
      // Tiles are hidden.
      return box("infe", [2, 0, 0, tiles.contains(item.id) ? 1 : 0] + body)
    }
    var (places, at): ([UInt8], Int) = ([0x44, 0] + big(items.count, 2), start)
    for item in items {
      places += big(item.id, 2) + big(0, 2) + big(1, 2) + big(at, 4) + big(item.length ?? item.data.count, 4)
      at += item.data.count
    }
    let uses = items.flatMap { big($0.id, 2) + [UInt8($0.properties.count)] + $0.properties.map { UInt8($0) } }
    let named = references.flatMap { reference in
      box(reference.kind, big(reference.from, 2) + big(reference.to.count, 2) + reference.to.flatMap { big($0, 2) })
    }
    let handler = full("hdlr", big(0, 4) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13), 0)
    let assigned = full("ipma", big(items.count, 4) + uses, 0)
    var body = handler + full("pitm", big(primary, 2), 0) + full("iinf", big(items.count, 2) + names, 0)
    body += full("iloc", places, 0) + box("iprp", box("ipco", properties.flatMap { $0 }) + assigned)
    if !references.isEmpty { body += full("iref", named, 0) }
    return full("meta", body, 0)
  }

  private func type(of item: Item) -> [UInt8] { item.kind == "mime" ? Array("application/rdf+xml".utf8) + [0] : [] }

  public func bytes() -> [UInt8] {
    let head = Self.box("ftyp", Array(brand.utf8) + Self.big(0, 4) + Array("mif1heic".utf8))
    let start = head.count + meta(at: 0).count + 8
    return head + meta(at: start) + Self.box("mdat", items.flatMap(\.data))
  }
}
