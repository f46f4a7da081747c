import TestKit
import Testing

@testable import Imaging

@Suite struct FlatViewTests {
  private let picture = PixelSize(width: 8000, height: 2000)
  private func view() -> FlatView { FlatView(picture: picture, window: PixelSize(width: 200, height: 120)) }

  private func expectStill(_ view: inout FlatView, _ x: Double, _ y: Double) {
    let before = view
    let moved = view.pan(x: x, y: y)
    #expect(!moved && view == before)
  }

  @Test func `it begins with the whole picture, centred`() {
    let view = view()
    #expect(view.isFit && view.magnification == 1)
    #expect(view.crop == CropRect(x: 0, y: 0, width: 8000, height: 2000))
    #expect(view.placement == PixelRect(x: 0, y: 35, width: 200, height: 50))
  }

  @Test func `fill height shows the full height and a part of the width`() {
    var view = view()
    view.fillHeight()
    #expect(view.placement == PixelRect(x: 0, y: 0, width: 200, height: 120))
    #expect(view.crop.height == 2000)
    #expect(abs(view.crop.width - 2000 * 200 / 120) < 0.001)
    #expect(abs(view.crop.x + view.crop.width / 2 - 4000) < 0.001)
  }

  @Test func `zooming keeps the centre and back again is the same`() {
    var view = view()
    view.fillHeight()
    view.pan(x: 0.5, y: 0)
    let before = view.crop
    view.zoom(by: 2)
    #expect(abs(view.crop.width - before.width / 2) < 0.001)
    #expect(abs(view.crop.x + view.crop.width / 2 - (before.x + before.width / 2)) < 0.001)
    view.zoom(by: 0.5)
    #expect(abs(view.crop.x - before.x) < 0.001 && abs(view.crop.width - before.width) < 0.001)
  }

  @Test func `zoom stops at fit and at the largest scale`() {
    var view = view()
    view.zoom(by: 0.1)
    #expect(view == self.view())
    for _ in 0..<100 { view.zoom(by: FlatView.zoomStep) }
    #expect(view.scale == FlatView.maxScale)
    view.zoom(by: .nan)
    view.zoom(by: -1)
    #expect(view.scale == FlatView.maxScale)
  }

  @Test func `a pan stops at the edges and says so`() {
    var view = view()
    expectStill(&view, 1, 1)
    view.fillHeight()
    expectStill(&view, 0, -1)
    for _ in 0..<50 { view.pan(x: FlatView.panStep, y: 0) }
    #expect(abs(view.crop.x + view.crop.width - 8000) < 0.001)
    expectStill(&view, 1, 0)
    for _ in 0..<50 { view.pan(x: -FlatView.panStep, y: 0) }
    #expect(view.crop.x == 0)
    expectStill(&view, -1, 0)
    expectStill(&view, .infinity, 0)
  }

  @Test func `0 goes back to the beginning`() {
    var view = view()
    view.zoom(by: 30)
    view.pan(x: 3, y: 1)
    view.fit()
    #expect(view == self.view())
  }

  @Test func `a new window keeps fit, fill height, or the place`() {
    var view = view()
    view.resize(to: PixelSize(width: 80, height: 40))
    #expect(view == FlatView(picture: picture, window: PixelSize(width: 80, height: 40)))
    view.fillHeight()
    view.resize(to: PixelSize(width: 100, height: 30))
    #expect(view.crop.height == 2000)
    view.zoom(by: 3)
    let before = view
    view.resize(to: PixelSize(width: 60, height: 60))
    #expect(view.scale == before.scale)
    #expect(abs(view.crop.x + view.crop.width / 2 - before.crop.x - before.crop.width / 2) < 0.001)
  }

  @Test func `whatever is pressed, the crop stays within the picture and the placement within the window`() {
    var numbers = SeededNumbers(3)
    for size in [picture, PixelSize(width: 3, height: 900), PixelSize(width: 1, height: 1)] {
      var view = FlatView(picture: size, window: PixelSize(width: 200, height: 120))
      for _ in 0..<2000 {
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: view.zoom(by: Double.random(in: 0.3...3, using: &numbers))
        case 1, 2:
          view.pan(x: Double.random(in: -2...2, using: &numbers), y: Double.random(in: -2...2, using: &numbers))
        case 3: view.fillHeight()
        case 4:
          view.resize(
            to: PixelSize(
              width: Int.random(in: 0...300, using: &numbers), height: Int.random(in: 0...90, using: &numbers)))
        default: view.fit()
        }
        let (crop, place) = (view.crop, view.placement)
        #expect(crop.x >= -0.001 && crop.y >= -0.001 && crop.width > 0 && crop.height > 0)
        #expect(
          crop.x + crop.width <= Double(size.width) + 0.001 && crop.y + crop.height <= Double(size.height) + 0.001)
        #expect(place.x >= 0 && place.y >= 0 && place.width >= 1 && place.height >= 1)
        #expect(place.x + place.width <= view.window.width && place.y + place.height <= view.window.height)
      }
    }
  }
}
