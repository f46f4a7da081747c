/// Where the samples of one direction lie: two pixels each, and the second one's weight of 256.
struct SampleAxis {
  private(set) var first: [Int] = []
  private(set) var second: [Int] = []
  private(set) var weight: [Int32] = []

  init(start: Double, length: Double, steps: Int, limit: Int, _ filter: Resampler.Filter) {
    first.reserveCapacity(steps)
    second.reserveCapacity(steps)
    weight.reserveCapacity(steps)
    let last = Double(limit - 1)
    for step in 0..<steps {
      // The centre of the new pixel, in source pixels.
      let centre = start + (Double(step) + 0.5) * length / Double(steps)
      switch filter {
      case .nearest:
        let place = Int(min(last, max(0, centre.rounded(.down))))
        first.append(place)
        second.append(place)
        weight.append(0)
      case .bilinear:
        let between = min(last, max(0, centre - 0.5))
        let place = Int(between)
        first.append(place)
        second.append(min(place + 1, limit - 1))
        weight.append(Int32(((between - Double(place)) * 256).rounded()))
      }
    }
  }
}
