import ArgumentParser
import ClubServices
import FileStores
import Imaging
import JSON
import Screens
import Transfers

struct PhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo",
    abstract: "List, upload, download, show, rename, move, caption, share and remove photos.",
    discussion: Examples.text([
      "byteclub photo ls --long": "photos with size and time",
      "byteclub photo put garage.jpg beach.jpg": "upload photos to the club",
      "byteclub photo get garage.jpg --to ~/Pictures": "download one",
      "byteclub photo view garage.jpg": "draw it in the terminal",
      "byteclub photo ask": "a page where a phone leaves photos for the club",
    ]),
    subcommands: [
      PhotoList.self, PhotoPut.self, PhotoGet.self, PhotoMove.self, PhotoRemove.self, PhotoInfoVerb.self,
      PhotoView.self, PhotoCaption.self, PhotoTourVerb.self, PhotoLink.self, PhotoAsk.self,
    ])
}

struct PhotoList: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the photos by name.",
    discussion: Examples.text([
      "byteclub photo ls": "one name a line",
      "byteclub photo ls --long": "with size and time",
      "byteclub photo ls --sort size": "the largest first",
      "byteclub photo ls --sort taken": "those taken last first, as far as byteclub has read their dates",
      "byteclub photo ls oslo/": "those of an album, and of the albums in it",
      "byteclub photo ls -z | xargs -0 byteclub photo get": "names with any character, to another command",
    ]))

  @Argument(help: "An album: a folder below the photos folder.", completion: NameCompletion.albums) var album: String?
  @OptionGroup var form: ListForm
  @OptionGroup var shared: SharedOptions

  func validate() throws { try form.check(shared) }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let photos = session.open.photos
    var entries: [FileEntry] = []
    try await photos.list { entries += $0 }
    if let album {
      let folder = try await photos.album(named: album)
      entries = entries.filter { $0.path.relative(to: folder) != nil }
      if entries.isEmpty {
        throw StoreError(
          .notFound, "The club has no album \"\(album)\".", remedy: "See the names with: byteclub photo ls",
          path: folder)
      }
    }
    var taken: [StorePath: Timestamp] = [:]
    if form.sort == .taken { await photos.readCaptures { taken = $0.moments } }
    entries = form.sorted(entries, taken: taken) { photos.name(of: $0.path)[...] }
    guard session.isJSON else {
      return form.answer(
        entries.map { Record(.null, line: FileLine.bytes($0, isLong: form.long, shown: photos.name(of: $0.path))) })
    }
    let states = FileStates(copyOf: session.open)
    let news = await session.open.news.marks(ofAll: entries, in: .photos)
    return Answer(
      entries.map { entry in
        let json = PhotoName.json(entry, photos, state: states.state(of: entry.path))
        return Record(.listed(json, isNew: news[entry.path] != nil), line: nil)
      })
  }
}

struct PhotoInfoVerb: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show facts about a photo: size, camera, date, panorama.",
    discussion: Examples.text(["byteclub photo info garage.jpg": "one fact a line"]))

  @Argument(help: "The photo.", completion: NameCompletion.photos) var name: String
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let photos = session.open.photos
    let info = try await photos.info(try await PhotoName.entry(name, photos).path)
    let header = info.header
    var json: [JSONMember] = []
    if case .object(let members) = PhotoName.json(info.entry, photos) {
      json = members.filter { $0.key != "contentHash" }
    }
    func add(_ key: String, _ value: JSONValue) { json.append(JSONMember(key, value)) }
    add("contentHash", .string(info.contentHash.hex))
    add("format", .string(header.format.rawValue))
    add("width", .number(header.size.width))
    add("height", .number(header.size.height))
    if let text = header.cameraMake { add("cameraMake", .string(text)) }
    if let text = header.cameraModel { add("cameraModel", .string(text)) }
    if let date = header.captured { add("captured", .string(date.description)) }
    json += PhotoInfoVerb.taking(header)
    if let projection = header.panorama?.projection { add("projection", .string(projection)) }
    add("kind", .string(PictureGeometry(header).kind.rawValue))
    add("hasPosition", .bool(header.hasPosition))
    let caption = try await photos.caption(of: info.entry.path)
    if let caption { add("caption", .string(String(decoding: caption.text, as: UTF8.self))) }
    let changed = info.entry.modified.map { RFC3339.text(Timestamp(seconds: $0.seconds)) }
    let facts = PhotoFact.all(of: info, named: name, changed: changed).map { ($0.name, $0.value) }
    let lines = (facts + (caption.map { [("Caption", $0.line)] } ?? [])).map { name, value in
      name + ":" + String(repeating: " ", count: max(1, 14 - name.count)) + value
    }
    return Answer([Record(.object(json), lines: lines)])
  }

  private static func taking(_ header: PictureHeader) -> [JSONMember] {
    var json: [JSONMember] = []
    func add(_ key: String, _ value: JSONValue?) { if let value { json.append(JSONMember(key, value)) } }
    add("capturedZone", header.captured?.zone.map { .string($0) })
    add("lens", header.lens.map { .string($0) })
    add("focalLength", header.focalLengthMillimetres.map { .fraction($0) })
    add("focalLength35", header.focalLength35Millimetres.map { .fraction($0) })
    add("exposureSeconds", header.exposure.seconds.map { .fraction($0) })
    add("aperture", header.exposure.aperture.map { .fraction($0) })
    add("iso", header.exposure.speed.map { .number($0) })
    add("latitude", header.position.map { .fraction($0.latitude) })
    add("longitude", header.position.map { .fraction($0.longitude) })
    add("heading", (header.panorama?.headingDegrees ?? header.imageDirectionDegrees).map { .fraction($0) })
    if header.hasFilm { add("filmBytes", header.filmBytes.map { .number($0) } ?? .null) }
    return json
  }
}

struct PhotoTourVerb: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "tour", abstract: "List the doors of a panorama: id, direction, label and the photo behind it.",
    discussion: Examples.text([
      "byteclub photo tour pier.jpg": "the doors that members have made with L in the app",
      "byteclub photo tour pier.jpg --json > tour.json": "for the viewer Pannellum, beside copies of the photos",
      "byteclub talk rm pier.jpg k3f9q2xa": "withdraw a door of yours",
    ]))

  @Argument(help: "The photo.", completion: NameCompletion.photos) var name: String
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let photo = try await PhotoName.entry(name, session.open.photos).path
    let doors = try await notes.talk(about: photo).doors
    let lines = doors.map { item in
      let target = item.door.target(from: photo).map { PhotoName.shown($0, session.open.photos) } ?? item.door.address
      return Record(.null, line: "\(item.id)  @\(item.door.yaw),\(item.door.pitch)  \(item.door.label)  \(target)")
    }
    var answer = Answer(lines, notice: doors.isEmpty ? "\"\(name)\" has no doors." : nil)
    if session.isJSON {
      let first = Door.address(of: photo, from: photo.parent) ?? ""
      answer.bare = try await notes.tour(byDoorsOf: photo).pannellum(first: first)
    }
    return answer
  }
}

struct PhotoRemove: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Put photos, or whole albums, into the trash.",
    discussion: Examples.text([
      "byteclub photo rm blurred.jpg": "byteclub trash restore gets it back",
      "byteclub photo rm oslo/": "an album with all that is in it; asks first",
    ]))

  @Argument(
    help: "The photos, and albums with a slash at their ends.", completion: NameCompletion.photosAndAlbums)
  var names: [String]
  @Flag(help: "Do not ask before an album goes. Needed without a terminal, and with --json.") var yes = false
  @OptionGroup var shared: SharedOptions

  func validate() throws { try FolderRemoval<FiledPhotos>.check(names, isAgreed: yes, shared) }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    try await FolderRemoval(files: FiledPhotos(session), session: session, isAgreed: yes).perform(names)
  }
}

struct PhotoPut: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "put", abstract: "Upload photos: byte by byte as they are, or smaller copies.",
    discussion: Examples.text([
      "byteclub photo put garage.jpg": "one photo",
      "byteclub photo put *.jpg --progress plain": "many, with a progress line every few seconds",
      "byteclub photo put garage.jpg --strip-location": "without the place where it was taken, not encoded anew",
      "byteclub photo put garage.jpg --max-edge 2048 --quality 60": "a smaller copy",
      "byteclub photo put IMG_0042.HEIC --jpeg": "as a JPEG, for programs that show no HEIC",
      "byteclub photo put *.jpg --album oslo": "into an album; a new name makes one",
      "scanimage --format=png | byteclub photo put - --as plan.png": "from standard input, under a name",
    ])
      + "\n\nbyteclub does not upload a picture again that the club already has, whatever its name, unless you add --again. A "
      + "taken name is not replaced: the photo gets a new one, such as \"garage (2).jpg\". A damaged picture is "
      + "refused. Ctrl-C cancels and leaves nothing behind. While the server is away, the upload stays in the list of "
      + "transfers, the exit code is 6, and byteclub transfer run, or the app, sends it."
      + "\n\n--quality and --max-edge make an upright copy in the picture's own format, which keeps date, camera, place, "
      + "colours and panorama facts; with --jpeg, pictures of other formats become JPEGs (of quality 92 unless told). The file "
      + "itself is not changed. --strip-location leaves out the place and everything that may name it, such as texts, "
      + "the camera maker's notes, and a film behind the picture; without other options the pixels stay as they are. If "
      + "that cannot be done for sure, nothing is uploaded.")

  @Argument(help: "The files; - is standard input.", completion: .file(extensions: PictureFormat.endings.map(\.key)))
  var files: [String]
  @Option(name: .customLong("as"), help: ArgumentHelp("The name of the photo from standard input.", valueName: "name"))
  var name: String?
  @Option(
    name: .long, help: ArgumentHelp("The album for the photos: a folder below the photos folder.", valueName: "album"),
    completion: NameCompletion.albums)
  var album: String?
  @Flag(name: .long, help: "Also upload pictures that the club already has.") var again = false
  @Option(
    name: .long,
    help: ArgumentHelp("Encode a JPEG or WebP anew, from 1 (small) to 100 (good), such as 60.", valueName: "n"))
  var quality: Int?
  @Option(
    name: .long, help: ArgumentHelp("Shrink pictures whose longer side has more pixels.", valueName: "pixels"))
  var maxEdge: Int?
  @Flag(name: .long, help: "Make JPEGs of pictures of other formats, such as HEIC.") var jpeg = false
  @Flag(name: .long, help: "Leave out the place where the picture was taken.") var stripLocation = false
  @OptionGroup var reporting: ProgressOptions
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard (1...100).contains(quality ?? 60) else { throw ValidationError("--quality is a number from 1 to 100.") }
    guard (16...65_535).contains(maxEdge ?? 16) else {
      throw ValidationError("--max-edge is a number of pixels from 16 to 65535.")
    }
    guard files.contains("-") else {
      if name != nil { throw ValidationError("--as names the photo from standard input. Put - in place of a file.") }
      return
    }
    if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input has one photo. Name - once.") }
    if let name, name.isEmpty || name.hasPrefix(".") || name.contains("/") {
      throw ValidationError("--as is a name without a slash, and without a dot at its start.")
    }
    try StandardInput.checkOpen()
    if StandardInput.isTerminal { throw ValidationError("Send the photo through a pipe, or name a file.") }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let (open, files, again) = (session.open, files, again)
    let changes = UploadChanges(quality: quality, maxEdge: maxEdge, dropsPlace: stripLocation, asJPEG: jpeg)
    let copies = session.setup.paths.uploadsDirectory
    var folder: StorePath?
    if let album { folder = try await open.photos.album(named: album) }
    var done: [String] = []
    let printer = ProgressPrinter(
      reporting.style(session.output, isJSON: session.isJSON), session.output, isASCII: session.setup.usesASCII,
      watchesAll: false)
    let hub = open.transfers
    let watch = AwayWatch { Task { await hub.stop() } }
    await hub.attach([printer, watch])
    var answer = Answer()
    var started: [Transfer.ID] = []
    var away: StoreError?
    for file in files where !Task.isCancelled {
      do throws(StoreError) {
        var sent = file
        if file == "-" {
          let bytes = try await StandardInput.read(session.setup.pool, limit: PictureFile.largestBytes)
          sent = try await open.photos.uploadFile(of: bytes, named: name ?? "photo", in: copies)
          done.append(sent)
        }
        if !changes.isEmpty { sent = try await open.photos.uploadCopy(of: sent, changes, in: copies) }
        done.append(sent)
        let plan = try await open.photos.planUpload(sent, into: folder, asksStore: away == nil, again: again)
        if !again, let entry = plan.existing {
          let name = PhotoName.shown(entry.path, open.photos)
          answer.notices.append("The club already has the picture \"\(file)\": \(name).")
          answer.records.append(Record(PhotoName.already(entry, open.photos), line: nil))
          continue
        }
        if let renaming = plan.renaming { printer.say(renaming) }
        let id = try await open.photos.upload(plan)
        away = away ?? plan.unanswered ?? open.connection?.absence
        if let away {
          answer.failures.append(away.ofQueued(plan))
        } else {
          printer.watch([id])
          started.append(id)
        }
      } catch {
        answer.failures.append(error)
      }
    }
    // From here on, nothing more is ordered.
    watch.watch(started)
    for end in await TransferWait.untilOver(started, open.transfers, orAway: watch) {
      switch end {
      case .success(let transfer): answer.records.append(Record(.transfer(transfer), line: nil))
      case .failure(let error): answer.failures.append(error)
      }
    }
    printer.finish()
    if !changes.isEmpty || files.contains("-") {
      // Without the list of uploads nothing is removed; a later call does it.
      do throws(StoreError) {
        let needed = try await OutboxTransferJournal(open.outbox, pool: session.setup.pool).neededFiles()
        await open.photos.removeUploadCopies(done, needed: needed, in: copies)
      } catch {
        session.setup.log.error("the copies of uploads were not removed", error)
      }
    }
    await open.transfers.stop()
    if Task.isCancelled { answer.failures.append(TransferWait.stopped("upload")) }
    return answer
  }
}

extension StoreError {
  fileprivate func ofQueued(_ plan: UploadPlan) -> StoreError { ofQueued(plan.localPath, plan.target) }

  func ofQueued(_ transfer: Transfer) -> StoreError { ofQueued(transfer.local, transfer.path) }

  private func ofQueued(_ file: String, _ path: StorePath) -> StoreError {
    StoreError(
      kind, "The upload of \"\(file)\" is kept on this machine, not yet in the club. \(message)",
      remedy: "The app sends it when the server answers. To send it now: byteclub transfer run",
      path: path, retryAfter: retryAfter)
  }
}

/// The name of a photo is its path below the photos folder.
enum PhotoName {
  /// - Throws: `notFound` with a remedy.
  static func entry(
    _ name: String, _ photos: PhotosService, ignoresCase: Bool = true
  ) async throws(StoreError) -> FileEntry {
    if let entry = try await find(name, photos, ignoresCase: ignoresCase) { return entry }
    throw StoreError(
      .notFound, "The club has no photo \"\(name)\".", remedy: "See the names with: byteclub photo ls",
      path: try photos.path(named: name))
  }

  static func shown(_ path: StorePath, _ photos: PhotosService) -> String {
    String(decoding: photos.name(of: path), as: UTF8.self)
  }

  static func json(_ entry: FileEntry, _ photos: PhotosService, state: FileState = .stored) -> JSONValue {
    .file(entry, state: state, shown: shown(entry.path, photos))
  }

  /// A photo that needs no transfer; `place` is the local file with the same content.
  static func already(_ entry: FileEntry, _ photos: PhotosService, place: String? = nil) -> JSONValue {
    var more = [JSONMember("already", .bool(true))]
    if let place { more.append(JSONMember("place", .string(place))) }
    return json(entry, photos).adding(more)
  }
}
