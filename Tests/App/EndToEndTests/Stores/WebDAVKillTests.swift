import TestKit
import Testing

private let kinds: [WebDAVProgram.Kind] = [.apache, .wsgidav].filter { $0.program != nil }

/// byteclub is killed (-9) in the middle of transfers with WebDAV servers, at moments that a seed chooses.
@Suite(
  .serialized, .enabled(if: !kinds.isEmpty, "neither apache2 nor WsgiDAV is installed"),
  .timeLimit(.minutes(15))
) struct WebDAVKillTests {
  private static let picture = TransferScene.picture(7, mebibytes: 24)
  private static let piece = 1 << 20
  private static let most = 7 << 20

  private func lab(_ cloud: CloudFolder, _ kind: WebDAVProgram.Kind) throws -> KillLab {
    let lab = try KillLab(cloud)
    // Tests the server: without its findings, the first upload goes in one piece.
    let doctor = try lab.start(["doctor", "--club", cloud.name]).finish()
    #expect(doctor.text.contains("goes on after a break") == (kind == .apache), "\(doctor.text) \(doctor.said)")
    return lab
  }

  @Test(arguments: kinds, TestTier.process.seeds([1, 2, 3]))
  func `an upload that is killed at any moment ends whole and once`(kind: WebDAVProgram.Kind, seed: UInt64) async throws
  {
    let cloud = try await CloudFolder(kind)
    // WsgiDAV writes no parts of files, so the upload begins again, and a kill may cost all that has gone.
    let piece = kind == .apache ? Self.piece : Self.picture.count
    let kills = try lab(cloud, kind).upload(Self.picture, upTo: Self.most, piece: piece, seed: seed)
    #expect(try cloud.names(in: "photos") == ["big.jpg"])
    // The sweep takes a part that was begun and not noted yet.
    let others = try cloud.names().filter { $0 != "photos" }
    #expect(others.allSatisfy { $0 == ".byteclub" || $0.hasPrefix(".byteclub-part-") }, "\(others)")
    #expect(others.count <= 1 + kills)
  }

  @Test(arguments: kinds, TestTier.process.seeds([4, 5, 6]))
  func `a download that is killed at any moment ends whole and once`(kind: WebDAVProgram.Kind, seed: UInt64)
    async throws
  {
    try lab(try await CloudFolder(kind), kind).download(Self.picture, upTo: Self.most, seed: seed)
  }
}
