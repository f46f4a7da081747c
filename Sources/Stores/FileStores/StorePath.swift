internal import Basics
internal import POSIX

/// A path in a store: components below the store's root, as bytes. Order is that of the bytes.
///
/// Bytes, because two names that Swift's `String` calls equal (NFC and NFD twins) are two files, and because a Linux
/// name need not be UTF-8. The root is the empty path. There is never a leading, trailing or doubled `/`, never a `.`
/// or `..` component, and never a NUL byte: a path cannot leave its root.
public struct StorePath: Hashable, Sendable, Comparable {
  public let bytes: [UInt8]

  public static let root = StorePath(unchecked: [])

  private init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Checks a path from outside. One leading `/` is dropped.
  /// - Throws: `badName` for empty, `.` or `..` components and NUL bytes; the sentence names the component.
  public init(_ bytes: some Collection<UInt8>) throws(StoreError) {
    var bytes = Array(bytes)
    if bytes.first == slash { bytes.removeFirst() }
    if bytes.isEmpty {
      self = .root
      return
    }
    for component in bytes.split(separator: slash, omittingEmptySubsequences: false) {
      if let reason = StorePath.fault(in: component) {
        throw StoreError(
          .badName, "The path \"\(displayed(bytes))\" \(reason).", remedy: "Choose another name.")
      }
    }
    self.init(unchecked: bytes)
  }

  public init(_ text: String) throws(StoreError) {
    try self.init(Array(text.utf8))
  }

  /// The last component; empty for the root.
  public var name: ArraySlice<UInt8> {
    guard let cut = bytes.lastIndex(of: slash) else { return bytes[...] }
    return bytes[(cut + 1)...]
  }

  public var parent: StorePath {
    guard let cut = bytes.lastIndex(of: slash) else { return .root }
    return StorePath(unchecked: Array(bytes[..<cut]))
  }

  public var components: [ArraySlice<UInt8>] { bytes.split(separator: slash) }

  public var isRoot: Bool { bytes.isEmpty }

  /// A child of this folder.
  /// - Throws: `badName` if `name` is empty, `.` or `..`, or contains `/` or NUL.
  public func appending(_ name: some Collection<UInt8>) throws(StoreError) -> StorePath {
    let name = Array(name)
    if let reason = StorePath.fault(in: name[...]) ?? (name.contains(slash) ? "contains a slash" : nil) {
      throw StoreError(.badName, "The name \"\(displayed(name))\" \(reason).", remedy: "Choose another name.")
    }
    return StorePath(unchecked: isRoot ? name : bytes + [slash] + name)
  }

  public func appending(_ name: String) throws(StoreError) -> StorePath {
    try appending(Array(name.utf8))
  }

  /// As `appending`, but fast enough for listings; nil for invalid names.
  public func child(named name: UnsafeRawBufferPointer) -> StorePath? {
    guard let start = name.baseAddress, !name.isEmpty else { return nil }
    if name[0] == dot, name.count == 1 || (name.count == 2 && name[1] == dot) { return nil }
    guard memchr(start, Int32(slash), name.count) == nil, memchr(start, 0, name.count) == nil else { return nil }
    let prefix = bytes.isEmpty ? 0 : bytes.count + 1
    return StorePath(
      unchecked: [UInt8](unsafeUninitializedCapacity: prefix + name.count) { buffer, count in
        guard let target = buffer.baseAddress else { return }
        if prefix > 0 {
          bytes.withUnsafeBufferPointer {
            target.update(from: $0.baseAddress ?? UnsafePointer(target), count: $0.count)
          }
          target[prefix - 1] = slash
        }
        memcpy(target + prefix, start, name.count)
        count = prefix + name.count
      })
  }

  /// The path below this folder at a relative path, which must come from `relative(to:)`.
  public func descending(_ relative: ArraySlice<UInt8>) -> StorePath {
    StorePath(unchecked: isRoot ? Array(relative) : bytes + [slash] + relative)
  }

  /// The bytes below `folder`, without the slash; nil if this is not below it.
  public func relative(to folder: StorePath) -> ArraySlice<UInt8>? {
    if folder.isRoot { return bytes[...] }
    guard bytes.count > folder.bytes.count + 1, bytes.starts(with: folder.bytes), bytes[folder.bytes.count] == slash
    else { return nil }
    return bytes[(folder.bytes.count + 1)...]
  }

  /// True if any component begins with `.byteclub`: byteclub's own files, which are no part of a club.
  public var isReserved: Bool {
    components.contains { $0.starts(with: reservedPrefix) }
  }

  public static func < (left: StorePath, right: StorePath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  private static func fault(in component: ArraySlice<UInt8>) -> String? {
    if component.isEmpty { return "is empty or has two slashes in a row" }
    if component.elementsEqual([dot]) || component.elementsEqual([dot, dot]) { return "has a part that is . or .." }
    if component.contains(0) { return "contains a NUL byte" }
    return nil
  }
}

private let slash = UInt8(ascii: "/")
private let dot = UInt8(ascii: ".")
private let reservedPrefix = Array(".byteclub".utf8)

extension StorePath: CustomStringConvertible {
  /// For people: UTF-8, with other bytes as `\xFE`. Not filtered: names may contain control characters.
  public var description: String { displayed(bytes) }

  /// A path of more than 200 bytes, and its beginning and end for a sentence; nil for others.
  var cut: (whole: String, shown: String)? {
    let whole = description
    guard bytes.count > 200, whole.unicodeScalars.count > 200 else { return nil }
    let (head, tail) = (whole.unicodeScalars.prefix(90), whole.unicodeScalars.suffix(90))
    return (whole, "\(String(head))…\(String(tail))")
  }

  /// As `PathText.shellWord`.
  public var shellWord: String { PathText.shellWord(description) }
}

private func displayed(_ bytes: [UInt8]) -> String {
  if let text = String(validating: bytes, as: UTF8.self) { return text }
  var (parser, rest, position, text) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator(), 0, "")
  while true {
    switch parser.parseScalar(from: &rest) {
    case .valid(let scalar):
      text.unicodeScalars.append(Unicode.UTF8.decode(scalar))
      position += scalar.count
    case .error(let length):
      for byte in bytes[position..<position + length] { text += "\\x" + String(byte, radix: 16, uppercase: true) }
      position += length
    case .emptyInput: return text
    }
  }
}
