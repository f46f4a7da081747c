import Basics
public import Decoding
public import FileStores
import POSIX
import Imaging
import Synchronization
public import Transfers

extension PhotosService {
  /// Checks a file of this machine and reserves a name for it in an album, by default the photos folder.
  ///
  /// - The file must be a regular file with a whole picture: all of it is decoded, at a small scale.
  /// - A name that is taken, also by a planned or running upload, gets a number. A name under which the photo would not
  ///   be listed is changed (`PhotoName.made`). `renamedFrom` and `renaming` report both cases.
  /// - If the store cannot be reached (see `UploadPlan.unanswered`), or without `asksStore`, taken names are unknown;
  ///   the upload checks them.
  /// - A file whose earlier upload has not ended well goes on with that one, unless it is wanted `again`.
  /// - Throws: `notFound`; `notPermitted`; `badInput` if the file is not regular or changes meanwhile; `corrupt` if it
  ///   is damaged or no picture; `tooLarge`; `unsupported`; `cancelled`; the store's errors.
  public func planUpload(
    _ localPath: String, into album: StorePath? = nil, asksStore: Bool = true, again: Bool = false
  ) async throws(StoreError) -> UploadPlan {
    // The process that carries out the order may have another working directory.
    let localPath = Folders.absolute(localPath)
    let source = try await FileSource(path: localPath, pool: pool)
    let given = PathText.name(localPath)
    let size = source.size ?? 0
    if let limit = club.store.limits.fileBytes, size > limit {
      throw StoreError(
        .tooLarge, "\"\(given)\" cannot be uploaded: the store takes \(limit) bytes a file.",
        remedy: "Save a smaller copy.")
    }
    try PhotoReader.admit(size, name: given, path: nil, what: "uploaded")
    // Only a few decode at once, however many files were marked.
    let header = try await admitted { () throws(StoreError) in
      // The club's photos are listed during the decoding; `photo(ofSize:like:)` lists them again if that failed.
      async let listing: Void? = asksStore && !known.isListed ? try? list { _ in } : ()
      let looked = try await look(at: source, size: size)
      _ = await listing
      return looked
    }
    let name = PhotoName.made(from: given, format: header.format, limits: club.store.limits)
    let reservation = try await names.reserve(
      name, in: album ?? club.photosFolder, store: club.store, asksStore: asksStore)
    var same: (entry: FileEntry?, hash: ContentHash?) = (nil, nil)
    do throws(StoreError) {
      if asksStore, reservation.unanswered.withLock({ $0 }) == nil {
        same = try await photo(ofSize: size, like: source)
      }
    } catch {
      // The upload waits for the store and reports any other error.
      guard error.isTemporary else { throw error }
    }
    let earlier = again ? nil : try await unfinishedUpload(of: localPath, size)
    let isRenamed = earlier == nil && !reservation.path.name.elementsEqual(given.utf8)
    return UploadPlan(
      localPath: localPath, size: size, target: earlier?.path ?? reservation.path, renamedFrom: isRenamed ? given : nil,
      renaming: isRenamed ? Self.renaming(given, name, reservation) : nil, existing: same.entry, contentHash: same.hash,
      sourceStamp: source.stampText, earlier: earlier, reservation: reservation)
  }

  private func unfinishedUpload(of file: String, _ size: UInt64) async throws(StoreError) -> Transfer? {
    try await transfers.transfers(ofLocal: file).first { transfer in
      transfer.direction == .upload && transfer.club == club.name && transfer.store == storeWord
        && transfer.total == size && transfer.state != .done && transfer.state != .cancelled
    }
  }

  private static func renaming(_ given: String, _ made: [UInt8], _ reservation: NameReservation) -> String {
    let name = PhotoReader.name(reservation.path)
    let fault = made.elementsEqual(given.utf8) ? nil : PhotoName.fault(in: given)
    let reason = fault ?? (reservation.number > 1 ? "is taken" : "is too long")
    return "Uploading as \"\(name)\": \"\(given)\" \(reason)."
  }

  /// Checks a file that has changed since its upload was ordered: it must still be a whole picture.
  /// - Throws: as `planUpload`.
  public static func check(_ source: FileSource, _ decoder: any PictureDecoding) async throws(StoreError) {
    try PhotoReader.admit(source.size ?? 0, name: PathText.name(source.path), path: nil, what: "uploaded")
    _ = try await header(ofWhole: source, decoder)
  }

  private static func header(
    ofWhole source: FileSource, _ decoder: any PictureDecoding
  ) async throws(StoreError) -> PictureHeader {
    try await source.lending { (file) async throws(StoreError) in
      do throws(ImageError) {
        return try await decoder.check(PictureContent(file: file, count: Int(clamping: source.size ?? 0)))
      } catch {
        throw error.storeError(PathText.name(source.path), "uploaded")
      }
    }
  }

  /// Decodes, once the size of the picture is admitted. The upload hashes the file while it reads it to send it.
  private func look(at source: FileSource, size: UInt64) async throws(StoreError) -> PictureHeader {
    let name = PathText.name(source.path)
    let count = Int(clamping: size)
    try await source.reading { (fill) throws(StoreError) in
      do throws(ImageError) {
        try PictureLimits().admit(
          try PictureHeader.beginning(of: PictureInput(count: count, read: fill)).storedSize)
      } catch {
        throw error.storeError(name, "uploaded")
      }
    }
    do throws(StoreError) {
      return try await Self.header(ofWhole: source, decoder)
    } catch {
      // A fault of the file comes before one of the picture: a file that cannot be read is not a broken picture.
      if error.kind == .corrupt { _ = try await hash(of: source) }
      throw error
    }
  }

  /// Reads all of a file.
  func hash(of source: FileSource) async throws(StoreError) -> ContentHash {
    let (flag, name, count) = (CancelFlag(), PathText.name(source.path), Int(clamping: source.size ?? 0))
    return try await flag.raisedByCancelling { () throws(StoreError) in
      try await source.reading { (fill) throws(StoreError) in
        try Self.hash(PictureInput(count: count, read: fill), name, flag)
      }
    }
  }

  private static func hash(
    _ input: PictureInput, _ name: String, _ flag: CancelFlag
  ) throws(StoreError) -> ContentHash {
    let hasher = ContentHasher()
    input.forEachPiece { piece in
      hasher.update(Array(piece)[...])
      return !flag.isRaised
    }
    if flag.isRaised { throw .cancelled("Reading \"\(name)\"") }
    return hasher.finish()
  }

  /// Orders an upload. The order is durable in the journal on return and outlives this process. The stored file is
  /// compared with the sent bytes if the store has checksums. If the name is taken meanwhile, the photo gets the next
  /// one, reported in `Transfer.path`.
  /// - Throws: the journal's errors; then nothing is ordered.
  public func upload(_ plan: UploadPlan) async throws(StoreError) -> Transfer.ID {
    if let earlier = plan.earlier {
      if earlier.state == .failed { try await transfers.perform(.retry(earlier.id)) }
      if earlier.state == .paused { try await transfers.perform(.resume(earlier.id)) }
      return earlier.id
    }
    let order = TransferOrder(
      club: club.name, store: storeWord,
      work: .upload(
        file: plan.localPath, size: plan.size, contentHash: plan.contentHash, name: plan.reservation.name,
        number: plan.reservation.number),
      path: plan.target, name: PhotoReader.name(plan.target), renamedFrom: plan.renamedFrom,
      sourceStamp: plan.sourceStamp)
    let id = try await ordered(order)
    let (transfers, reservation) = (transfers, plan.reservation)
    // The name stays reserved until the transfer ends, so the next plan does not choose it.
    let (thumbnails, club) = (thumbnails, club)
    Task.detached(executorPreference: pool.tasks) {
      let transfer = await transfers.ended(id)
      // A store without checksums may be asked for this photo again.
      if transfer?.state == .done, let entry = transfer?.entry, entry.contentHash == nil,
        let hash = transfer?.contentHash
      {
        await thumbnails.remember(hash, of: entry, club: club)
      }
      withExtendedLifetime(reservation) {}
    }
    return id
  }

  /// Orders a download into a folder of this machine. The order is durable in the journal on return and outlives this
  /// process. The file is complete and verified before it gets its name, and replaces nothing ("garage (2).jpg").
  /// Control characters in its name become "_".
  /// - Throws: `notFound`; `badInput` if it is no file; the errors of the store and the journal.
  public func download(_ path: StorePath, to directory: String) async throws(StoreError) -> Transfer.ID {
    let entry = try await club.store.entry(at: path)
    guard entry.kind == .file else {
      throw StoreError(.badInput, "\"\(path)\" is not a file.", remedy: "Choose a photo.", path: path)
    }
    return try await ordered(
      TransferOrder(
        club: club.name, store: storeWord, work: .download(folder: Folders.absolute(directory)), path: path,
        name: PhotoReader.name(path)))
  }

  private func ordered(_ order: TransferOrder) async throws(StoreError) -> Transfer.ID {
    guard let id = try await transfers.add([order]).first else {
      throw StoreError(
        .server, "The transfer of \"\(order.name)\" was not accepted.", remedy: "Try again.", path: order.path)
    }
    return id
  }
}

/// A checked photo that may be uploaded. Its name stays reserved until the plan or its upload ends.
public struct UploadPlan: Sendable {
  public let localPath: String
  public let size: UInt64
  public let target: StorePath
  public let renamedFrom: String?
  /// The error if the store could not be reached.
  public var unanswered: StoreError? { reservation.unanswered.withLock { $0 } }
  /// The reason for another name, as a sentence for the member.
  public let renaming: String?
  /// A photo of the club with the same content, if known.
  public let existing: FileEntry?

  /// Nil if nothing needed it before the upload.
  let contentHash: ContentHash?
  let sourceStamp: String
  /// An upload of the same file that has not ended well yet.
  let earlier: Transfer?
  let reservation: NameReservation
}
