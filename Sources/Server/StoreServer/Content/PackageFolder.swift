import Basics
import CPlatform
public import FileStores
import POSIX

/// The folder of packages that the server hands out to everybody. It is read anew at each request, so new files need no
/// restart. Only regular files directly in it count, by names that mean the same in an address and in a shell.
public struct PackageFolder: Sendable {
  struct Package: Sendable {
    let name: String
    /// In bytes.
    let size: UInt64
    /// In nanoseconds since 1970.
    let changed: Int64
    /// In hexadecimal digits, as SHA256SUMS has it.
    var sum: String?
  }

  /// The most files of a list.
  static let most = 100
  private static let sums = "SHA256SUMS"
  private static let largestSums = 64 << 10
  private static let ends = [".deb", ".tar.gz", ".tar.xz", ".rpm", ".apk"]

  /// True if a visitor's browser can check that a download comes from this server.
  let isProven: Bool
  private let path: String

  /// - Throws: if there is no folder at `path` whose files can be read.
  public init(_ path: String, isProven: Bool) throws(StoreError) {
    (self.path, self.isProven) = (Folders.absolute(path), isProven)
    // An empty variable in a script is not the working directory.
    guard !path.isEmpty else { throw failure(SystemError(code: ENOENT)) }
    _ = try list()
  }

  static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first), name.utf8.count <= 255 else { return false }
    return name.utf8.allSatisfy { isLetter($0) || "._+~-".utf8.contains($0) }
      && (name == sums || ends.contains { name.hasSuffix($0) })
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...122).contains(byte | 0x20) }

  /// The files in the order of their names. Blocks.
  func list() throws(StoreError) -> [Package] {
    let names: [String]
    do throws(SystemError) {
      // The dot asks for the right to open files, too.
      names = try Folders.names(in: path + "/.").filter(PackageFolder.isName)
    } catch {
      throw failure(error)
    }
    let sums = try readSums()
    var packages: [Package] = []
    for name in names.sorted().prefix(PackageFolder.most) {
      guard var (package, _) = try open(name) else { continue }
      package.sum = sums[name]
      packages.append(package)
    }
    return packages
  }

  /// Blocks.
  /// - Returns: nil without such a file, or if the server may not read it.
  func open(_ name: String) throws(StoreError) -> (package: Package, file: OpenFile)? {
    guard PackageFolder.isName(name) else { return nil }
    do throws(SystemError) {
      let file = try OpenFile(path + "/" + name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
      var facts = cp_stat()
      guard cp_stat_open(file.descriptor, &facts) == 0 else { throw SystemError.last }
      guard facts.mode & UInt32(S_IFMT) == UInt32(S_IFREG) else { return nil }
      return (Package(name: name, size: facts.size, changed: facts.modified), file)
    } catch {
      // ELOOP is a link, ENXIO a socket.
      if [ENOENT, ELOOP, ENXIO, EACCES].contains(error.code) { return nil }
      throw failure(error)
    }
  }

  /// Blocks.
  func read(_ file: OpenFile, from offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
    do throws(SystemError) { return try file.read(from: offset, count: count) } catch { throw failure(error) }
  }

  /// The sums by the names of their files, as `sha256sum` writes them.
  private func readSums() throws(StoreError) -> [String: String] {
    guard let (_, file) = try open(PackageFolder.sums) else { return [:] }
    let text = String(decoding: try read(file, from: 0, count: PackageFolder.largestSums), as: UTF8.self)
    let pairs = text.split(whereSeparator: \.isNewline).compactMap { line -> (String, String)? in
      let sum = line.prefix(64)
      guard sum.utf8.count == 64, sum.allSatisfy(\.isHexDigit) else { return nil }
      return (String(line.dropFirst(66)), sum.lowercased())
    }
    return Dictionary(pairs) { $1 }
  }

  private func failure(_ error: SystemError) -> StoreError {
    StoreError(
      .server, "The packages in \"\(path)\" cannot be read: \(SystemError.text(error.code)).",
      remedy: "Name a folder that the server can read: --get DIR.")
  }
}

extension [PackageFolder.Package] {
  /// The newest package of byteclub for Debian, for amd64 if there is one. The server's own package is another.
  var debian: String? {
    let all = filter { $0.name.hasPrefix("byteclub_") && $0.name.hasSuffix(".deb") }
    return all.filter { $0.name.hasSuffix("_amd64.deb") }.newest ?? all.newest
  }

  var tarball: String? { filter { $0.name.hasPrefix("byteclub-") && $0.name.contains(".tar.") }.newest }

  private var newest: String? { self.max { ($0.changed, $0.name) < ($1.changed, $1.name) }?.name }
}
