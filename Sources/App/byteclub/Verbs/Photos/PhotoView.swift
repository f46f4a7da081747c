import ArgumentParser
import Basics
import ClubServices
import Decoding
import FileStores
import POSIX
import Imaging
import TextUI
import Transfers

struct PhotoView: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Draw a photo in the terminal, or into a PNG file.",
    discussion: Examples.text([
      "byteclub photo view garage.jpg": "a photo of the club",
      "byteclub photo view ~/new.jpg": "a file of this machine",
      "byteclub photo view garage.jpg --size 60x20": "at a size in columns and rows",
      "byteclub photo view garage.jpg --out small.png --size 640x480": "to a file, in pixels",
      "byteclub photo view summit.jpg --yaw 90 --pitch -10 --fov 70": "look around in a panorama",
    ])
      + "\n\nThe colours are those that COLORTERM and TERM promise; with NO_COLOR, and where there are none, it draws with "
      + "characters.")

  @Argument(help: "The photo, or a file.", completion: NameCompletion.photos) var name: String
  @Option(
    name: .long,
    help: ArgumentHelp("At most this wide and high: in columns and rows or, with --out, in pixels.", valueName: "WxH"))
  var size: BoxSize?
  @Option(
    name: .long, help: ArgumentHelp("Write or replace a PNG file instead; - is standard output.", valueName: "png"),
    completion: .file(extensions: ["png"]))
  var out: String?
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Look this far to the right of the middle; left is negative.", valueName: "degrees"))
  var yaw: Double?
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Look this far above the horizon; below it is negative.", valueName: "degrees"))
  var pitch: Double?
  @Option(name: .long, help: ArgumentHelp("The width of the view.", valueName: "degrees"))
  var fov: Double?
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard (yaw ?? 0).isFinite, (pitch ?? 0).isFinite, (fov ?? 1) > 0, (fov ?? 1).isFinite else {
      throw ValidationError("The angles are degrees, and --fov is above 0.")
    }
    if shared.json, out == nil {
      throw ValidationError("JSON cannot hold a drawing. Leave out --json, or add --out FILE.")
    }
    if shared.json, out == "-" {
      throw ValidationError("--out - and --json both write to standard output. Leave one of them out.")
    }
    if out == "" { throw ValidationError("--out needs the name of a file.") }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let picture = try PictureOfFile(try await bytes(session), name, session.setup.decoder) {
      session.output.alert("\"\(name)\" is damaged, or ends early. What cannot be read is left out.")
    }
    let angles = yaw == nil && pitch == nil && fov == nil ? nil : Angles(yaw: yaw, pitch: pitch, fieldOfView: fov)
    if let out {
      let box = size.map { PixelSize(width: $0.width, height: $0.height) }
      let png = try await PhotoView.png(picture, box, angles)
      return try await PictureFile.write(png, to: out, session)
    }
    let terminal = TerminalSize.of(1)
    let columns = size?.width ?? terminal?.columns ?? 80
    // One row is left for the shell's next prompt.
    let rows = size?.height ?? max(1, (terminal?.rows ?? 25) - 1)
    let drawing = try await PhotoView.drawing(picture, columns: columns, rows: rows, angles)
    let colors = ColorAbility(session.setup.environment, isTerminal: session.output.resultsAreShown)
    session.output.drawing(PictureLines.bytes(drawing, colors))
    return Answer()
  }

  private func bytes(_ session: Session) async throws(StoreError) -> [UInt8] {
    let limit = PictureFile.largestBytes
    do throws(StoreError) {
      let entry = try await PhotoName.entry(name, session.open.photos)
      let bytes = try await session.open.photos.bytes(of: entry.path, limit: limit)
      session.open.news.seeSoon(entry)
      return bytes
    } catch {
      guard error.kind == .notFound || error.kind == .badName else { throw error }
      let path = LocalDirectory.absolute(name)
      guard access(path, F_OK) == 0 else { throw error }
      return try await PictureFile.read(path, session.setup.pool, limit: limit)
    }
  }

  private struct Angles {
    let yaw: Double?
    let pitch: Double?
    let fieldOfView: Double?
  }

  /// The size of a view without `--size`.
  private static let viewSize = PixelSize(width: 1280, height: 720)
  /// Enough for each view that byteclub draws; a larger picture takes too much memory.
  private static let mostPixels = 40_000_000.0

  /// - Throws: `badInput` if the picture is flat.
  private static func view(
    _ picture: PictureOfFile, _ window: PixelSize, _ angles: Angles
  ) async throws(StoreError) -> Pixels {
    let size = picture.header.size
    let share = min(1, (mostPixels / Double(size.width) / Double(size.height)).squareRoot())
    let box = PixelSize(
      width: max(1, Int(Double(size.width) * share)), height: max(1, Int(Double(size.height) * share)))
    let geometry = PictureGeometry(picture.header)
    guard geometry.canLookAround else {
      throw StoreError(
        .badInput, "\"\(picture.name)\" is flat. \(geometry.reason)",
        remedy: "Leave out --yaw, --pitch and --fov.")
    }
    let pixels = try await picture.pixels(atLeast: box)
    var look = LookAround(geometry, window: window)
    look.look(
      yaw: angles.yaw ?? look.yawDegrees, pitch: angles.pitch ?? look.pitchDegrees,
      fieldOfView: angles.fieldOfView ?? look.fieldOfViewDegrees)
    return LookAroundRenderer.render(try picture.naming { () throws(ImageError) in try Pyramid(pixels) }, look)
  }

  private static func png(
    _ picture: PictureOfFile, _ box: PixelSize?, _ angles: Angles?
  ) async throws(StoreError) -> [UInt8] {
    var pixels: Pixels
    if let angles {
      pixels = try await view(picture, box ?? viewSize, angles)
    } else {
      pixels = try await picture.pixels(atLeast: box)
    }
    return try picture.naming { () throws(ImageError) in
      if angles == nil, let box, pixels.width > box.width || pixels.height > box.height {
        pixels = try Resampler.resize(pixels, to: pixels.size.fitted(into: box))
      }
      return try Encoder.png(pixels)
    }
  }

  private static func drawing(
    _ picture: PictureOfFile, columns: Int, rows: Int, _ angles: Angles?
  ) async throws(StoreError) -> HalfBlockPicture {
    let size = HalfBlocks.pixels(columns: columns, rows: rows)
    if let angles { return HalfBlockPicture(try await view(picture, size, angles)) }
    let pixels = try await picture.pixels(atLeast: size)
    return try picture.naming { () throws(ImageError) in
      try HalfBlocks.picture(pixels, columns: columns, rows: rows)
    }
  }
}

/// A picture that a verb draws. Errors name it.
private struct PictureOfFile {
  let name: String
  let header: PictureHeader
  private let content: PictureContent
  private let decoder: any PictureDecoding
  private let foundDamage: @Sendable () -> Void

  init(
    _ bytes: [UInt8], _ name: String, _ decoder: any PictureDecoding, foundDamage: @escaping @Sendable () -> Void
  ) throws(StoreError) {
    (self.name, self.decoder, self.foundDamage) = (name, decoder, foundDamage)
    do throws(ImageError) {
      content = try PictureContent(bytes)
      header = try content.header()
    } catch {
      throw PictureFile.failure(error, name)
    }
  }

  func pixels(atLeast size: PixelSize?) async throws(StoreError) -> Pixels {
    do throws(ImageError) {
      let decoded = try await decoder.pixels(
        .decode(atLeast: size), of: content, orientation: header.orientation, isUrgent: true)
      if decoded.isDamaged { foundDamage() }
      return decoded.pixels
    } catch {
      throw PictureFile.failure(error, name)
    }
  }

  func naming<Value>(_ body: () throws(ImageError) -> Value) throws(StoreError) -> Value {
    do throws(ImageError) {
      return try body()
    } catch {
      throw PictureFile.failure(error, name)
    }
  }
}

struct BoxSize: ExpressibleByArgument, Sendable, Equatable {
  let width: Int
  let height: Int

  init?(argument: String) {
    let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]), (1...10_000).contains(width),
      (1...10_000).contains(height)
    else { return nil }
    (self.width, self.height) = (width, height)
  }
}

enum PictureFile {
  static let largestBytes = 512 << 20

  static func read(_ path: String, _ pool: BlockingPool, limit: Int) async throws(StoreError) -> [UInt8] {
    let source = try await FileSource(path: path, pool: pool)
    guard source.size ?? 0 <= UInt64(limit) else {
      throw StoreError(.tooLarge, "\"\(path)\" is larger than \(ByteCount.text(limit)).")
    }
    var reading = try await source.open(at: 0)
    var bytes: [UInt8] = []
    while let chunk = try await reading.next() { bytes += chunk }
    return bytes
  }

  /// Replaces an existing file atomically.
  static func write(_ bytes: [UInt8], to path: String, _ session: Session) async throws(StoreError) -> Answer {
    if path == "-" {
      guard !session.output.resultsAreShown else {
        throw StoreError(
          .badInput, "byteclub does not print a PNG file on a terminal.", remedy: "Send it to a file or a pipe.")
      }
      session.output.exact(bytes, .pictureFile)
      return Answer()
    }
    let full = LocalDirectory.absolute(path)
    let cut = full.lastIndex(of: "/") ?? full.startIndex
    let name = full[full.index(after: cut)...]
    // The folder store writes a file whole or not at all.
    let folder = try session.setup.localFolder(cut == full.startIndex ? "/" : String(full[..<cut]))
    let entry = try await folder.put(
      DataSource(bytes), at: try StorePath.root.appending(String(name)), mode: .overwrite)
    return Answer([Record(.file(entry), line: nil)], notice: "Wrote \"\(path)\".")
  }

  static func failure(_ error: ImageError, _ name: String) -> StoreError {
    let kind: StoreError.Kind =
      switch error.kind {
      case .cancelled: .cancelled
      case .tooLarge: .tooLarge
      case .unavailable: .server
      default: .badInput
      }
    return StoreError(kind, "\"\(name)\": \(error.message)", remedy: error.remedy)
  }
}
