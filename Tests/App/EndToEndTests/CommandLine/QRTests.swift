import Foundation
import TestKit
import Testing
import TextUI

private let reader = "/usr/bin/zbarimg"

/// QR codes, read from the terminal's picture by a program that others wrote.
@Suite(
  .enabled(if: CommandLineHome.binary != nil),
  .enabled(if: FileManager.default.isExecutableFile(atPath: reader), "zbar-tools is not installed"))
struct QRTests {
  /// Pixels for each module; a cell is two modules, one above the other.
  private static let scale = 4

  /// The terminal as a greyscale picture (PGM), with the colours that half-blocks give it.
  private func picture(_ grid: Grid) -> [UInt8] {
    var rows: [[UInt8]] = []
    for y in 0..<grid.size.height {
      var halves: [[UInt8]] = [[], []]
      for x in 0..<grid.size.width {
        let cell = grid[x, y]
        let isLight = cell.style.background == .palette(15) || cell.style.background == .rgb(0xFFFFFF)
        let (dark, light): (UInt8, UInt8) = isLight ? (0, 255) : (128, 128)
        for (half, blocks) in [(0, "▀█"), (1, "▄█")] {
          let value = !cell.text.isEmpty && blocks.contains(cell.text) ? dark : light
          halves[half] += [UInt8](repeating: value, count: Self.scale)
        }
      }
      for half in halves { rows += [[UInt8]](repeating: half, count: Self.scale) }
    }
    return Array("P5 \(rows[0].count) \(rows.count) 255\n".utf8) + rows.joined()
  }

  private func read(_ screen: ScreenSnapshot, _ home: CommandLineHome) throws -> String {
    try home.write(picture(screen.grid), to: "screen.pgm")
    let outcome = try Spawn(
      reader, ["--quiet", "--raw", home.path + "/screen.pgm"],
      environment: ["PATH": "/usr/bin:/bin", "HOME": home.path]
    ).finish()
    return outcome.text.trimmingCharacters(in: .newlines)
  }

  @Test func `an invitation's code and a device's code are their lines`() throws {
    let host = try CommandLineHome()
    let server = try RunningServer(["--tls-self"], in: host)
    let size = Size(120, 60)
    func shown(_ words: [String], _ home: CommandLineHome) throws -> ScreenSnapshot {
      let session = try PtySession(
        try #require(CommandLineHome.binary), words, size: size,
        environment: home.environment.merging(["LANG": "C.UTF-8"]) { $1 })
      _ = try session.waitExit()
      return session.screen
    }
    func line(_ screen: ScreenSnapshot) throws -> String {
      let row = try #require(
        (0..<size.height).map(screen.row).first { $0.hasPrefix("https://") && $0.contains("/join#") })
      return row
    }
    let invitation = try shown(
      [
        "serve", "invite", "ann", "--root", host.path + "/club", "--address", "https://127.0.0.1:\(server.port)",
      ], host)
    let invited = try line(invitation)
    #expect(try read(invitation, host) == invited, "\(invitation.text)")
    let ann = try CommandLineHome()
    let join = try ann.run("join", invited, "--no-open")
    #expect(join.status == 0, "\(join.said)")
    let device = try shown(["device", "add"], ann)
    #expect(try read(device, ann) == line(device), "\(device.text)")
    #expect(try server.finish().status == 0)
  }
}
