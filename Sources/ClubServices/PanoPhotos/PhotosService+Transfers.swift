public import FileStores
import Glibc
import Imaging
import Synchronization
public import Transfers

extension PhotosService {
  /// Looks at a file of this machine and finds a name for it in the photos folder.
  ///
  /// - The file must be a regular one, and a whole picture: all of it is decoded, at a small scale.
  /// - A name that is taken, also by a photo whose upload is planned or under way, gets a number. A name under which
  ///   the photo would not be shown is changed: leading dots go, control characters become "_", a missing ending is
  ///   added. Either is told in `renamedFrom`, and why in `renaming`.
  /// - A photo of the club that holds the same is told in `existing`.
  /// - While the store cannot be reached (see `UploadPlan.unanswered`), or without `asksStore`, it is not known which
  ///   names are taken; the upload finds out.
  /// - Throws: `notFound`; `notPermitted`; `badInput` when it is not a regular file or changes meanwhile; `corrupt` when
  ///   it is broken or no picture; `tooLarge`; `unsupported`; `cancelled`; what the store throws.
  public func planUpload(_ localPath: String, asksStore: Bool = true) async throws(StoreError) -> UploadPlan {
    let localPath = Self.inFull(localPath)
    let source = try await FileSource(path: localPath, pool: pool)
    let given = PathText.name(localPath)
    let size = source.size ?? 0
    if let limit = club.store.limits.fileBytes, size > limit {
      throw StoreError(
        .tooLarge, "\"\(given)\" cannot be uploaded: the store takes \(limit) bytes a file.",
        remedy: "Save a smaller copy.")
    }
    try PhotoReader.admit(size, name: given, path: nil, what: "uploaded")
    // As with thumbnails: only a few at once, however many files were marked.
    let (header, hash) = try await turnstile.pass { () throws(StoreError) in
      try await look(at: source, size: size, given)
    }
    let name = PhotoName.made(from: given, format: header.format, limits: club.store.limits)
    let reservation = try await names.reserve(
      name, in: club.photosFolder, store: club.store, asksStore: asksStore)
    let existing: FileEntry?
    do throws(StoreError) {
      existing = asksStore && reservation.unanswered.withLock({ $0 }) == nil ? try await photo(ofSize: size, hash) : nil
    } catch {
      // The upload, which waits for the store, finds out what else there is to say.
      guard error.isTemporary else { throw error }
      existing = nil
    }
    let isRenamed = !reservation.path.name.elementsEqual(given.utf8)
    return UploadPlan(
      localPath: localPath, size: size, target: reservation.path, renamedFrom: isRenamed ? given : nil,
      renaming: isRenamed ? Self.renaming(given, name, reservation) : nil, existing: existing, contentHash: hash,
      reservation: reservation)
  }

  private static func renaming(_ given: String, _ made: [UInt8], _ reservation: NameReservation) -> String {
    let name = PhotoReader.name(reservation.path)
    let fault = made.elementsEqual(given.utf8) ? nil : PhotoName.fault(in: given)
    let reason = fault ?? (reservation.number > 1 ? "is taken" : "is too long")
    return "Uploading as \"\(name)\": \"\(given)\" \(reason)."
  }

  /// Decodes the picture and hashes the file, a piece of it at a time.
  private func look(
    at source: FileSource, size: UInt64, _ name: String
  ) async throws(StoreError) -> (PictureHeader, ContentHash) {
    let flag = CancelFlag()
    return try await flag.raisedByCancelling { () throws(StoreError) in
      try await source.reading { (fill) throws(StoreError) in
        let input = PictureInput(count: Int(clamping: size), read: fill)
        let header: PictureHeader
        do throws(ImageError) {
          header = try Decoder.check(input) { flag.isRaised }
        } catch {
          throw error.storeError(name, "uploaded")
        }
        return (header, try Self.hash(input, name, flag))
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

  /// Orders an upload. It is in the journal, durably, when this returns, and goes on whatever becomes of this process.
  ///
  /// Nothing is replaced: when the name is taken meanwhile, the photo gets the next one, which `Transfer.path` tells.
  /// What arrives is compared with what was sent, where the store tells its checksum.
  /// - Throws: what the journal throws; nothing is ordered then.
  public func upload(_ plan: UploadPlan) async throws(StoreError) -> Transfer.ID {
    let order = TransferOrder(
      club: club.name, store: storeWord,
      work: .upload(
        file: plan.localPath, size: plan.size, contentHash: plan.contentHash, name: plan.reservation.name,
        number: plan.reservation.number),
      path: plan.target, name: PhotoReader.name(plan.target), renamedFrom: plan.renamedFrom)
    let id = try await ordered(order)
    let (transfers, reservation) = (transfers, plan.reservation)
    // The name is kept until the transfer is over, so that the next plan does not choose it.
    let (thumbnails, club) = (thumbnails, club)
    Task.detached(executorPreference: pool.tasks) {
      let transfer = await transfers.ended(id)
      // A store that tells no checksum may be asked for this photo again.
      if transfer?.state == .done, let entry = transfer?.entry, entry.contentHash == nil {
        await thumbnails.remember(plan.contentHash, of: entry, club: club)
      }
      withExtendedLifetime(reservation) {}
    }
    return id
  }

  /// Orders a download into a folder of this machine. It is in the journal, durably, when this returns, and goes on
  /// whatever becomes of this process.
  ///
  /// The file is whole and checked when it has its name, and replaces nothing ("garage (2).jpg"); `Transfer.place`
  /// tells where it is. Control characters in its name become "_".
  /// - Throws: `notFound`; `badInput` when it is no file; what the store and the journal throw.
  public func download(_ path: StorePath, to directory: String) async throws(StoreError) -> Transfer.ID {
    let entry = try await club.store.entry(at: path)
    guard entry.kind == .file else {
      throw StoreError(.badInput, "\"\(path)\" is not a file.", remedy: "Choose a photo.", path: path)
    }
    return try await ordered(
      TransferOrder(
        club: club.name, store: storeWord, work: .download(folder: Self.inFull(directory)), path: path,
        name: PhotoReader.name(path)))
  }

  private func ordered(_ order: TransferOrder) async throws(StoreError) -> Transfer.ID {
    guard let id = try await transfers.add([order]).first else {
      throw StoreError(
        .server, "The transfer of \"\(order.name)\" was not accepted.", remedy: "Try again.", path: order.path)
    }
    return id
  }

  /// A path of this machine from its root on: another process, which carries it out, may be elsewhere.
  static func inFull(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    let base = String(cString: here)
    return path.isEmpty || path == "." ? base : base == "/" ? base + path : "\(base)/\(path)"
  }
}
