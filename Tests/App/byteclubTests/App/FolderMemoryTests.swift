import Foundation
import Screens
import TestKit
import Testing

@testable import byteclub

/// The folders of the last good uploads and downloads.
@Suite final class FolderMemoryTests {
  private let home = TemporaryFolder.newPath()

  init() throws {
    for folder in ["a", "b"] {
      try FileManager.default.createDirectory(atPath: "\(home)/\(folder)", withIntermediateDirectories: true)
    }
  }

  deinit { removeFolder(home) }

  /// As the next start has it.
  private func files(_ club: String = "~/Club") -> MemberFiles {
    MemberFiles(home: home, memory: FolderMemory(state: "\(home)/state", club: club))
  }

  @Test func `a folder is there at the next start, for its purpose and its club`() async throws {
    #expect(files().remembered(for: .download) == nil)
    try await files().remember("~/a", for: .download)
    try await files().remember("~/b/", for: .upload)
    #expect(files().remembered(for: .download) == "~/a" && files().remembered(for: .upload) == "~/b/")
    try await files().remember("~/b", for: .download)
    #expect(files().remembered(for: .download) == "~/b")
    #expect(files("https://club.example").remembered(for: .download) == nil)
  }

  @Test func `one that is gone by then is not proposed`() async throws {
    try await files().remember("~/a", for: .download)
    try FileManager.default.removeItem(atPath: "\(home)/a")
    #expect(files().remembered(for: .download) == nil)
  }

  @Test func `what cannot be kept says so`() async throws {
    try Data().write(to: URL(filePath: "\(home)/state"))
    await #expect(throws: (any Error).self) { try await self.files().remember("~/a", for: .download) }
    #expect(files().remembered(for: .download) == nil)
  }
}
