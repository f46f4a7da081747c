internal import FileStores
internal import JSON
internal import Zip

/// Finds files in a folder's archive while it arrives. A file counts only if its bytes have the expected content hash,
/// whatever the names.
///
/// Dropbox's archives have the folder itself as their only top-level directory; archives without it also work.
struct ZippedFolder {
  private static let batchBytes = 1 << 20
  /// The surplus in bytes that is tolerated for any folder.
  private static let leastSurplus: UInt64 = 16 << 20

  private struct Opened {
    let file: FileEntry
    let size: UInt64
    let hasher = ContentHasher()
    var count: UInt64 = 0
    var isDropped = false
  }

  private let top: String
  private var wanted: [String: FileEntry] = [:]
  private var reader: ZipReader
  private var opened: Opened?
  private var received: UInt64 = 0
  private let most: UInt64

  /// `top` is Dropbox's name of the last component of `folder`.
  init(_ files: [FileEntry], below folder: StorePath, top: some Sequence<UInt8>) {
    self.top = DropboxFolder.fold(top)
    for file in files where file.kind == .file && file.size != nil && file.contentHash != nil {
      guard let path = file.path.relative(to: folder) else { continue }
      wanted[DropboxFolder.fold(path)] = file
    }
    let bytes = wanted.values.totalBytes
    most = bytes > .max / 4 ? .max : 2 * bytes + ZippedFolder.leastSurplus
    let (names, top) = (wanted, self.top)
    reader = ZipReader { ZippedFolder.file($0, in: names, top)?.1.size }
  }

  var isOver: Bool { reader.isOver }

  /// True if more arrived than twice the wanted bytes plus a surplus, such as byteclub's unlisted trash.
  var isWaste: Bool { received > most }

  mutating func add(_ bytes: ByteChunk) {
    received += UInt64(bytes.count)
    reader.add(bytes)
  }

  mutating func next() throws(ZipFault) -> [FolderPart] {
    var parts: [FolderPart] = []
    var bytes = 0
    while bytes < ZippedFolder.batchBytes, let part = try reader.next() {
      switch part {
      case .begin(let name):
        opened = nil
        guard let (key, file) = ZippedFolder.file(name, in: wanted, top), let size = file.size else { continue }
        wanted[key] = nil
        opened = Opened(file: file, size: size)
      case .bytes(let chunk):
        guard var opened, !opened.isDropped else { continue }
        self.opened = nil
        opened.count += UInt64(chunk.count)
        opened.hasher.update(chunk)
        opened.isDropped = opened.count > opened.size
        parts.append(opened.isDropped ? .dropped(opened.file) : .bytes(opened.file, chunk))
        bytes += chunk.count
        self.opened = opened
      case .end:
        guard let opened, !opened.isDropped else { continue }
        let isRight = opened.count == opened.size && opened.hasher.finish() == opened.file.contentHash
        parts.append(isRight ? .whole(opened.file) : .dropped(opened.file))
        self.opened = nil
      case .over: break
      }
    }
    return parts
  }

  private static func file(_ name: [UInt8], in files: [String: FileEntry], _ top: String) -> (String, FileEntry)? {
    if let slash = name.firstIndex(of: UInt8(ascii: "/")), fold(name[..<slash]) == top {
      let key = fold(name[(slash + 1)...])
      if let file = files[key] { return (key, file) }
    }
    let key = fold(name)
    return files[key].map { (key, $0) }
  }

  private static func fold(_ name: some Sequence<UInt8>) -> String { DropboxFolder.fold(name) }
}

/// Reads a folder as one archive with `files/download_zip`, which supports neither ranges nor a whole account. Limits:
/// https://www.dropbox.com/developers/documentation/http/documentation, "/download_zip".
struct DropboxFolderReading: FolderReading {
  let store: DropboxStore

  var mostEntries: Int { 10_000 }
  var mostBytes: UInt64 { 20_000_000_000 }

  func read(
    _ files: [FileEntry], below folder: StorePath, _ receive: ([FolderPart]) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    try store.checkCancelled("The reading", folder)
    guard let place = store.folder.apiPath(folder) else { throw store.missing(folder) }
    guard let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      throw StoreError(.unsupported, "\(store.client.server.name) does not send the whole folder at once.")
    }
    var archive = ZippedFolder(files, below: folder, top: place.utf8[slash...].dropFirst())
    let call = DropboxCall(.downloadZip, .members(["path": .string(place)]), about: folder)
    let outcome = try await store.client.download(call) { (_, json) throws(StoreError) in
      guard json["metadata"] != nil else { throw store.client.nonsense("an archive of no folder", call) }
    } _: { (chunk) throws(StoreError) in
      archive.add(chunk)
      if archive.isWaste {
        throw StoreError(
          .unsupported, "\"\(folder)\" holds much more than the requested files.",
          remedy: "Read them one by one.",
          path: folder)
      }
      while true {
        try store.checkCancelled("The reading", folder)
        let parts: [FolderPart]
        do throws(ZipFault) {
          parts = try archive.next()
        } catch {
          throw store.client.nonsense("an archive that cannot be read (\(error))", call)
        }
        if parts.isEmpty { return }
        try await receive(parts)
      }
    }
    switch outcome {
    case .outside: throw store.client.nonsense("bytes that byteclub did not request", call)
    case .refusal(let refusal):
      let error = refusal.error(folder, store.client.server)
      throw error.kind == .badName ? store.missing(folder) : error
    case .complete: break
    }
    if !archive.isOver {
      throw StoreError(.offline, "The download of \"\(folder)\" was interrupted.", remedy: "Try again.", path: folder)
    }
  }
}
