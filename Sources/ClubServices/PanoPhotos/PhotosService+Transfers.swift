public import FileStores
import Imaging
import Synchronization
public import Transfers

extension PhotosService {
  /// Looks at a file of this machine and finds a name for it in the photos folder.
  ///
  /// - The file must be a regular one, and a whole picture: all of it is decoded, at a small scale.
  /// - A name that is taken, also by a photo whose upload is planned or under way, gets a number. A name under which
  ///   the photo would not be shown is changed: leading dots go, control characters become "_", a missing ending is
  ///   added. Either is told in `renamedFrom`.
  /// - Throws: `notFound`; `notPermitted`; `badInput` when it is no regular file or changes meanwhile; `corrupt` when
  ///   it is broken or no picture; `tooLarge`; `unsupported`; `cancelled`; what the store throws.
  public func planUpload(_ localPath: String) async throws(StoreError) -> UploadPlan {
    let source = try await FileSource(path: localPath, pool: pool)
    let given = localPath.split(separator: "/").last.map { String($0) } ?? localPath
    let size = source.size ?? 0
    if let limit = club.store.limits.fileBytes, size > limit {
      throw StoreError(
        .tooLarge, "\"\(given)\" cannot be uploaded: the store takes \(limit) bytes a file.",
        remedy: "Save a smaller copy of it.")
    }
    // As with thumbnails: only a few whole photos in memory, however many files were marked.
    let (header, hash) = try await turnstile.pass { () throws(StoreError) in
      let (bytes, hash) = try await reader.load(source, name: given)
      let header = try await pool.runCancellable { (isCancelled) throws(StoreError) in
        do throws(ImageError) {
          return try Decoder.check(bytes, isCancelled: isCancelled)
        } catch {
          throw error.storeError(given, "uploaded")
        }
      }
      return (header, hash)
    }
    let name = PhotoName.made(from: given, format: header.format, limits: club.store.limits)
    let reservation = try await names.reserve(name, in: club.photosFolder, store: club.store)
    let isRenamed = !reservation.path.name.elementsEqual(given.utf8)
    return UploadPlan(
      localPath: localPath, size: size, target: reservation.path, renamedFrom: isRenamed ? given : nil, source: source,
      contentHash: hash, reservation: reservation)
  }

  /// Starts, or queues, an upload. Nothing is replaced: when the name is taken meanwhile, the photo gets the next one,
  /// which the entry at the end and `Transfer.path` tell. What arrives is compared with what was looked at, where the
  /// store tells its checksum.
  public func upload(_ plan: UploadPlan, delegate: any OldTransferDelegate) async -> Transfer.ID {
    // Keeps the name for as long as the engine keeps the closure: until the transfer is over.
    let name = NextName(names: names, store: club.store, folder: club.photosFolder, reservation: plan.reservation)
    return await engine.upload(
      file: plan.source, name: PhotoReader.name(plan.target), to: plan.target, mode: .create, store: club.store,
      expecting: plan.contentHash, delegate: delegate
    ) { (_) async throws(StoreError) in try await name.next() }
  }

  /// Starts, or queues, a download into a folder of this machine.
  ///
  /// The file is whole and checked when it has its name, and replaces nothing ("garage (2).jpg"); `Transfer.place`
  /// tells where it is. Control characters in its name become "_".
  /// - Throws: `notFound`; `badInput` when it is no file; what the store throws. All else is told to the delegate.
  public func download(
    _ path: StorePath, to directory: String, delegate: any OldTransferDelegate
  ) async throws(StoreError) -> Transfer.ID {
    let entry = try await club.store.entry(at: path)
    guard entry.kind == .file else {
      throw StoreError(.badInput, "\"\(path)\" is not a file.", remedy: "Choose a photo.", path: path)
    }
    let name = path.name.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "_") : $0 }
    return await engine.download(
      path, name: PhotoReader.name(path), into: FileSink(directory: directory, name: name, pool: pool),
      store: club.store, delegate: delegate)
  }
}

/// The name that an upload has, and those that follow when it turns out to be taken.
private final class NextName: Sendable {
  private let names: NameReservations
  private let store: any FileStore
  private let folder: StorePath
  private let reservation: Mutex<NameReservation>

  init(names: NameReservations, store: any FileStore, folder: StorePath, reservation: NameReservation) {
    (self.names, self.store, self.folder) = (names, store, folder)
    self.reservation = Mutex(reservation)
  }

  func next() async throws(StoreError) -> StorePath {
    let last = reservation.withLock { $0 }
    let next = try await names.reserve(last.name, from: last.number + 1, in: folder, store: store)
    reservation.withLock { $0 = next }
    return next.path
  }
}
