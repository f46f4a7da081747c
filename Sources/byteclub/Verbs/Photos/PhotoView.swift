import ArgumentParser
import ClubServices
import FileStores
import Glibc
import Imaging
import Transfers

/// `byteclub photo view`.
struct PhotoView: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Draw a photo in the terminal, or into a PNG file.",
    discussion: Examples.text([
      "byteclub photo view garage.jpg": "a photo of the club",
      "byteclub photo view ~/new.jpg": "a file of this machine",
      "byteclub photo view garage.jpg --size 60x20": "at a size in columns and rows",
      "byteclub photo view garage.jpg --out small.png --size 640x480": "to a file, in pixels",
    ])
      + "\n\nThe colours are those that COLORTERM and TERM promise; with NO_COLOR, and where there are none, it draws with "
      + "characters.")

  @Argument(help: "The photo, or a file.", completion: .file()) var name: String
  @Option(
    name: .long,
    help: ArgumentHelp("At most this wide and high: in columns and rows or, with --out, in pixels.", valueName: "WxH"))
  var size: BoxSize?
  @Option(
    name: .long, help: ArgumentHelp("Write a PNG file instead; - is standard output.", valueName: "png"),
    completion: .file(extensions: ["png"]))
  var out: String?
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if shared.json, out == nil {
      throw ValidationError("JSON cannot hold a drawing. Leave out --json, or add --out FILE.")
    }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let pool = session.setup.pool
    let bytes = try await bytes(session)
    if let out {
      let box = size.map { PixelSize(width: $0.width, height: $0.height) }
      let png = try await pool.run { () throws(StoreError) in try PhotoView.png(bytes, box, name) }
      return try await PictureFile.write(png, to: out, session)
    }
    let terminal = TerminalSize.of(1)
    let columns = size?.width ?? terminal?.columns ?? 80
    // The shell's next line stands below.
    let rows = size?.height ?? max(1, (terminal?.rows ?? 25) - 1)
    let picture = try await pool.run { () throws(StoreError) in
      try PhotoView.picture(bytes, columns: columns, rows: rows, name)
    }
    let colors = ColorAbility(session.setup.environment, isTerminal: session.output.resultsAreShown)
    session.output.bytes(PictureLines.bytes(picture, colors))
    return Answer()
  }

  private func bytes(_ session: Session) async throws(StoreError) -> [UInt8] {
    let limit = PictureFile.largestBytes
    do throws(StoreError) {
      let path = try await PhotoName.entry(name, session.open.club).path
      return try await session.store.readAll(path, limit: limit).bytes
    } catch {
      guard error.kind == .notFound || error.kind == .badName else { throw error }
      let path = LocalDirectory.absolute(name)
      guard access(path, F_OK) == 0 else { throw error }
      return try await PictureFile.read(path, session.setup.pool, limit: limit)
    }
  }

  private static func png(_ bytes: [UInt8], _ box: PixelSize?, _ name: String) throws(StoreError) -> [UInt8] {
    do throws(ImageError) {
      var pixels = try Decoder.decode(bytes, atLeast: box).pixels
      if let box, pixels.width > box.width || pixels.height > box.height {
        pixels = try Resampler.resize(pixels, to: pixels.size.fitted(into: box))
      }
      return try Encoder.png(pixels)
    } catch {
      throw PictureFile.failure(error, name)
    }
  }

  private static func picture(
    _ bytes: [UInt8], columns: Int, rows: Int, _ name: String
  ) throws(StoreError) -> HalfBlockPicture {
    do throws(ImageError) {
      let size = HalfBlocks.pixels(columns: columns, rows: rows)
      return try HalfBlocks.picture(try Decoder.decode(bytes, atLeast: size).pixels, columns: columns, rows: rows)
    } catch {
      throw PictureFile.failure(error, name)
    }
  }
}
