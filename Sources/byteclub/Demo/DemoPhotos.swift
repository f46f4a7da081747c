import FileStores
import Glibc
import Imaging

/// The photos of the demo: some in the club, some to be brought into it.
enum DemoPhotos {
  /// What is there before the screen is: small, so that nobody waits.
  static func makeFirst(in place: DemoPlace) throws(StoreError) {
    let scene = DemoScene(width: 480, height: 120, palette: .day, horizon: 0.7, relief: 0.5, seed: 5)
    try keep("Postcard.jpg", scene, 85, in: place.photos, place)
  }

  /// The others, which come while the screen is shown already: those to upload first.
  static func makeRest(in place: DemoPlace) throws(StoreError) {
    let pictures = place.pictures
    for (name, palette, seed) in [("Morning.jpg", DemoScene.Palette.winter, 9), ("Evening.jpg", .dusk, 21)]
      as [(String, DemoScene.Palette, UInt64)]
    {
      // Much grain makes a file that takes its time on the way.
      let scene = DemoScene(
        width: 4096, height: 1024, palette: palette, horizon: 0.7, relief: 0.5, seed: seed, grain: 40)
      try keep(name, scene, 97, in: pictures, place)
    }
    try keep(
      "Small.jpg", DemoScene(width: 800, height: 200, palette: .dawn, horizon: 0.7, relief: 0.5, seed: 3), 85,
      in: pictures, place)
    try makeCompass(in: place)
    for (name, palette, seed) in [("Lake at dawn.jpg", .dawn, 12), ("Ridge at dusk.jpg", .dusk, 33)]
      as [(String, DemoScene.Palette, UInt64)]
    {
      try keep(
        name, DemoScene(width: 3200, height: 800, palette: palette, horizon: 0.72, relief: 0.5, seed: seed), 85,
        in: place.photos, place)
    }
  }

  /// All directions around, which says of itself that it is that.
  private static func makeCompass(in place: DemoPlace) throws(StoreError) {
    let scene = DemoScene(width: 4096, height: 2048, palette: .day, horizon: 0.5, relief: 0.14, seed: 17)
    guard var pixels = scene.pixels() else { return }
    DemoCompass.draw(on: &pixels, horizon: scene.horizon)
    var facts = PanoramaFacts()
    facts.projection = "equirectangular"
    facts.fullSize = pixels.size
    facts.crop = PixelRect(x: 0, y: 0, width: pixels.width, height: pixels.height)
    facts.headingDegrees = 0
    let jpeg = Encoder.marked(try encode("Compass 360.jpg", pixels, 85), as: facts)
    try place.write(jpeg, to: place.photos + "/Compass 360.jpg")
  }

  private static func keep(
    _ name: String, _ scene: DemoScene, _ quality: Int, in folder: String, _ place: DemoPlace
  ) throws(StoreError) {
    guard let jpeg = try make(name, scene, quality) else { return }
    try place.write(jpeg, to: folder + "/" + name)
  }

  private static func make(_ name: String, _ scene: DemoScene, _ quality: Int) throws(StoreError) -> [UInt8]? {
    guard let pixels = scene.pixels() else { return nil }
    return try encode(name, pixels, quality)
  }

  private static func encode(_ name: String, _ pixels: Pixels, _ quality: Int) throws(StoreError) -> [UInt8] {
    do throws(ImageError) {
      return try Encoder.jpeg(pixels, quality: quality)
    } catch {
      throw StoreError(.server, "The demo's photo \"\(name)\" could not be made: \(error).")
    }
  }
}
