import Backends
import Basics
import FileStores
import TestKit
import Testing

@Suite struct RegistryTests {
  private let pool = BlockingPool(threads: 1)

  @Test("A folder is opened from plain values")
  func opens() async throws {
    try await withTemporaryFolder { root in
      let folder = try StoreRegistry.standard.open(
        StoreDescription(kind: "folder", options: ["path": root]), pool: pool)
      #expect(folder is FolderStore)
    }
  }

  @Test("An unknown kind is badInput and names the known ones")
  func unknown() throws {
    let error = #expect(throws: StoreError.self) {
      try StoreRegistry.standard.open(StoreDescription(kind: "floppy"), pool: pool)
    }
    #expect(error?.kind == .badInput)
    for kind in StoreRegistry.standard.names { #expect(error?.remedy.contains(kind) == true) }
  }

  @Test("A missing option is badInput and is named")
  func missing() throws {
    let error = #expect(throws: StoreError.self) {
      try StoreRegistry.standard.open(StoreDescription(kind: "folder"), pool: pool)
    }
    #expect(error?.kind == .badInput && error?.message.contains("\"path\"") == true)
  }
}
