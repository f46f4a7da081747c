import FileStores
import POSIX
import Imaging

enum DemoPhotos {
  /// Made before the screen appears; small, so nobody waits.
  static func makeFirst(in place: DemoPlace) throws(StoreError) {
    let scene = DemoScene(width: 480, height: 120, palette: .day, horizon: 0.7, relief: 0.5, seed: 5)
    try keep("Postcard.jpg", scene, 85, in: place.photos, place)
  }

  /// Made while the screen is shown; photos to upload come first.
  static func makeRest(in place: DemoPlace) throws(StoreError) {
    let pictures = place.pictures
    for (name, palette, seed) in [("Morning.jpg", DemoScene.Palette.winter, 9), ("Evening.jpg", .dusk, 21)]
      as [(String, DemoScene.Palette, UInt64)]
    {
      // Much grain makes a large file, whose transfer takes a while.
      let scene = DemoScene(
        width: 4096, height: 1024, palette: palette, horizon: 0.7, relief: 0.5, seed: seed, grain: 40)
      try keep(name, scene, 97, in: pictures, place)
    }
    try keep(
      "Small.jpg", DemoScene(width: 800, height: 200, palette: .dawn, horizon: 0.7, relief: 0.5, seed: 3), 85,
      in: pictures, place)
    try makeTour(in: place)
    for (name, palette, seed) in [("Lake at dawn.jpg", .dawn, 12), ("Ridge at dusk.jpg", .dusk, 33)]
      as [(String, DemoScene.Palette, UInt64)]
    {
      try keep(
        name, DemoScene(width: 3200, height: 800, palette: palette, horizon: 0.72, relief: 0.5, seed: seed), 85,
        in: place.photos, place)
    }
  }

  /// Three spheres, whose hot spots lead from one to the next and to a note.
  private static func makeTour(in place: DemoPlace) throws(StoreError) {
    let spheres: [(String, DemoScene)] = [
      ("Compass 360.jpg", DemoScene(width: 4096, height: 2048, palette: .day, horizon: 0.5, relief: 0.14, seed: 17)),
      ("Hut 360.jpg", DemoScene(width: 2048, height: 1024, palette: .dusk, horizon: 0.5, relief: 0.2, seed: 41)),
      ("Snow 360.jpg", DemoScene(width: 2048, height: 1024, palette: .winter, horizon: 0.5, relief: 0.24, seed: 58)),
    ]
    for (name, scene) in spheres { try makeSphere(name, scene, in: place) }
    try place.write(Array(DemoTour.json.utf8), to: place.photos + "/tour.json")
  }

  private static func makeSphere(_ name: String, _ scene: DemoScene, in place: DemoPlace) throws(StoreError) {
    guard var pixels = scene.pixels() else { return }
    DemoCompass.draw(on: &pixels, horizon: scene.horizon)
    var facts = PanoramaFacts()
    facts.projection = "equirectangular"
    facts.fullSize = pixels.size
    facts.crop = PixelRect(x: 0, y: 0, width: pixels.width, height: pixels.height)
    facts.headingDegrees = 0
    let jpeg = Encoder.marked(try encode(name, pixels, 85), as: facts)
    try place.write(jpeg, to: place.photos + "/" + name)
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

/// The hot spots of the demo's spheres, as Pannellum reads them. The sun is where `DemoScene` draws it.
enum DemoTour {
  static let json = """
    {
      "default": { "firstScene": "pass", "hfov": 90 },
      "scenes": {
        "pass": {
          "title": "The pass", "panorama": "Compass 360.jpg", "yaw": 20,
          "hotSpots": [
            { "yaw": 35, "pitch": -2, "sceneId": "hut", "text": "Down to the hut", "targetYaw": -10 },
            { "yaw": -70, "pitch": 4, "sceneId": "snow", "text": "Up into the snow" },
            { "yaw": 72, "pitch": 40, "text": "The sun, at ten in the morning" },
            { "yaw": 160, "pitch": -6, "URL": "Guestbook.md", "text": "The guestbook" }
          ]
        },
        "hut": {
          "title": "The hut", "panorama": "Hut 360.jpg",
          "hotSpots": [
            { "yaw": 145, "pitch": 3, "sceneId": "pass", "text": "Back to the pass", "targetYaw": -145 },
            { "yaw": 15, "pitch": 8, "sceneId": "snow", "text": "Straight up into the snow" }
          ]
        },
        "snow": {
          "title": "The snow", "panorama": "Snow 360.jpg",
          "hotSpots": [
            { "yaw": -40, "pitch": -6, "sceneId": "hut", "text": "Down to the hut" },
            { "yaw": 25, "pitch": -3, "sceneId": "pass", "text": "Over to the pass" }
          ]
        }
      }
    }

    """
}
