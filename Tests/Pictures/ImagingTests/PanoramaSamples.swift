import POSIX
import Imaging

/// Headers and pictures of panoramas.
enum PanoramaSamples {
  /// `gpano`: fields and their values, as `"PosePitchDegrees 10, …"`.
  static func header(_ width: Int, _ height: Int, gpano: String = "", exif: HandmadeExif? = nil) throws -> PictureHeader
  {
    let fields = gpano.split(separator: ",").map { field in
      let parts = field.split(separator: " ")
      return "GPano:\(parts[0])=\"\(parts[1])\""
    }
    let xmp = fields.isEmpty ? [] : xmpSegment(fields.joined(separator: " "))
    return try PictureHeader.read(
      HandmadeJPEG(width: width, height: height, segments: (exif?.segment() ?? []) + xmp, hasData: false).bytes())
  }

  static func geometry(_ width: Int, _ height: Int, gpano: String = "") throws -> PictureGeometry {
    PictureGeometry(try header(width, height, gpano: gpano))
  }

  static func sphere(_ width: Int, pose: String = "") throws -> PictureGeometry {
    try geometry(width, width / 2, gpano: "ProjectionType equirectangular" + pose)
  }

  /// GPano fields of the part from `left` and `top` of an equirectangular picture 3600 pixels wide.
  static func part(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> String {
    "ProjectionType equirectangular,FullPanoWidthPixels 3600,FullPanoHeightPixels 1800,"
      + "CroppedAreaLeftPixels \(left),CroppedAreaTopPixels \(top),"
      + "CroppedAreaImageWidthPixels \(width),CroppedAreaImageHeightPixels \(height)"
  }

  /// 512 x 256: green is the row; red and blue rise and fall by one a column, a quarter apart, without a jump at the seam.
  static func places() -> Pixels {
    var pixels = Pixels(width: 512, height: 256)
    for y in 0..<256 {
      for x in 0..<512 {
        pixels[x, y] = UInt32(wave(Double(x))) << 16 | UInt32(y) << 8 | UInt32(wave(Double(x + 128)))
      }
    }
    return pixels
  }

  /// 0 at column 0, 255 at 255 and 256, 0 at 511 and 512.
  static func wave(_ x: Double) -> Double {
    let x = x - 512 * (x / 512).rounded(.down)
    return x <= 255 ? x : x <= 256 ? 255 : max(0, 511 - x)
  }

  /// A sphere in the colours of its directions: red to the right, green up, blue ahead.
  static func directions(_ width: Int) -> Pixels {
    var pixels = Pixels(width: width, height: width / 2)
    for y in 0..<(width / 2) {
      for x in 0..<width {
        let yaw = (Double(x) + 0.5) / Double(width) * 2 * .pi - .pi
        let pitch = .pi / 2 - (Double(y) + 0.5) / Double(width) * 2 * .pi
        pixels[x, y] = colour([cos(pitch) * sin(yaw), sin(pitch), cos(pitch) * cos(yaw)])
      }
    }
    return pixels
  }

  static func colour(_ direction: SIMD3<Double>) -> UInt32 {
    let level = direction * 127 + 128
    return UInt32(level.x.rounded()) << 16 | UInt32(level.y.rounded()) << 8 | UInt32(level.z.rounded())
  }

  /// The direction at a place in a window, from the three vectors of its camera.
  static func direction(_ view: LookAround, _ x: Double, _ y: Double, pixelAspect: Double = 1) -> SIMD3<Double> {
    let (yaw, pitch) = (view.yawDegrees * .pi / 180, view.pitchDegrees * .pi / 180)
    let ahead: SIMD3 = [cos(pitch) * sin(yaw), sin(pitch), cos(pitch) * cos(yaw)]
    let right: SIMD3 = [cos(yaw), 0, -sin(yaw)]
    let up: SIMD3 = [-sin(pitch) * sin(yaw), cos(pitch), -sin(pitch) * cos(yaw)]
    // The distance of a flat window as wide as `width` that is seen in the field of view.
    let width = Double(view.window.width) * pixelAspect
    let distance = width / 2 / tan(view.fieldOfViewDegrees * .pi / 360)
    let across = (x * pixelAspect - width / 2) / distance
    let rise = (Double(view.window.height) / 2 - y) / distance
    let ray = ahead + right * across + up * rise
    return ray / (ray * ray).sum().squareRoot()
  }

  static func yawAndPitch(_ direction: SIMD3<Double>) -> (yaw: Double, pitch: Double) {
    (atan2(direction.x, direction.z) * 180 / .pi, asin(max(-1, min(1, direction.y))) * 180 / .pi)
  }
}
