/// Draws what a view sees, from the level of a pyramid that suits its scale.
public enum FlatRenderer {
  /// A picture of `view.window` pixels; what lies beside the picture has the `background` colour (0xRRGGBB). The
  /// pyramid may be of a smaller copy of the picture that the view is of: the same part is seen, coarser.
  public static func render(_ pyramid: Pyramid, _ view: FlatView, background: UInt32 = 0) -> Pixels {
    let crop = view.crop
    let place = view.placement
    let (acrossFull, downFull) = (
      Double(pyramid.size.width) / Double(view.picture.width),
      Double(pyramid.size.height) / Double(view.picture.height)
    )
    // Half a step finer than one pixel a sample: bilinear sampling then touches all that counts.
    let step = max(crop.width * acrossFull / Double(place.width), crop.height * downFull / Double(place.height))
    let level = pyramid.level(forStep: step * 1.42)
    let pixels = pyramid.levels[level]
    let (across, down) = (acrossFull / Double(1 << level), downFull / Double(1 << level))
    let part = Resampler.sample(
      pixels,
      crop: CropRect(x: crop.x * across, y: crop.y * down, width: crop.width * across, height: crop.height * down),
      size: PixelSize(width: place.width, height: place.height),
      filter: view.scale > 4 ? .nearest : .bilinear)
    if part.size == view.window { return part }
    var whole = Pixels(width: view.window.width, height: view.window.height, colour: background)
    whole.paste(part, x: place.x, y: place.y)
    return whole
  }
}
