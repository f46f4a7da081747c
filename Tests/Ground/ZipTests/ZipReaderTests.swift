import Testing

@testable import Zip

/// Archives are read as they come, whatever pieces they come in.
@Suite struct ZipReaderTests {
  struct Found: Equatable {
    var name: String
    var content: [UInt8] = []
    var hasEnded = false
  }

  /// What a reader finds in an archive that comes in pieces of `size` bytes.
  private func read(
    _ archive: [UInt8], by size: Int, sizes: [String: UInt64] = [:]
  ) throws(ZipFault) -> (files: [Found], isOver: Bool) {
    var reader = ZipReader { sizes[String(decoding: $0, as: UTF8.self)] }
    var found: [Found] = []
    var rest = archive[...]
    while !rest.isEmpty {
      reader.add(rest.prefix(size))
      rest = rest.dropFirst(size)
      while let part = try reader.next() {
        switch part {
        case .begin(let name): found.append(Found(name: String(decoding: name, as: UTF8.self)))
        case .bytes(let bytes): found[found.count - 1].content += bytes
        case .end: found[found.count - 1].hasEnded = true
        case .over: #expect(reader.isOver)
        }
      }
    }
    return (found, reader.isOver)
  }

  private static let long = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
  /// "abcabcabcabcabc" and a line end, as zlib packs it.
  private static let packed: [UInt8] = [0x4B, 0x4C, 0x4A, 0x4E, 0x44, 0x42, 0x5C, 0x00]

  private static let files: [SampleZip.File] = [
    .init(name: "top/"), .init(name: "top/a.md", content: Array("# A\n".utf8)), .init(name: "top/empty"),
    .init(name: "top/packed", content: Array("abcabcabcabcabc\n".utf8), deflated: packed),
    .init(name: "top/blocks", content: long, deflated: SampleZip.blocks(long), descriptor: .signed),
    .init(name: "top/wide", content: [1, 2, 3], isWide: true),
    .init(name: "top/ü/long", content: long),
  ]

  @Test("Files are found whole, in whatever pieces the archive comes", arguments: [1, 2, 7, 29, 30, 4096, 1 << 20])
  func pieces(size: Int) throws {
    let (found, isOver) = try read(SampleZip.archive(Self.files), by: size)
    #expect(found == Self.files.map { Found(name: $0.name, content: $0.content, hasEnded: true) })
    #expect(isOver)
  }

  @Test("Sizes behind the content are understood in each form", arguments: SampleZip.Descriptor.allCases, [1, 1 << 20])
  func descriptors(descriptor: SampleZip.Descriptor, size: Int) throws {
    let content = Array("PK\u{7}\u{8} is no end".utf8)
    let archive = SampleZip.archive([
      .init(name: "stored", content: content, descriptor: descriptor),
      .init(name: "deflated", content: content, deflated: SampleZip.blocks(content, of: 5), descriptor: descriptor),
      .init(name: "empty", descriptor: descriptor), .init(name: "last", content: [7]),
    ])
    let (found, isOver) = try read(archive, by: size, sizes: ["stored": UInt64(content.count), "empty": 0])
    #expect(found.map(\.name) == ["stored", "deflated", "empty", "last"])
    #expect(found.map(\.content) == [content, content, [], [7]])
    #expect(isOver)
  }

  @Test("A stored file whose size nobody knows is said to be one") func unknownSize() {
    let archive = SampleZip.archive([.init(name: "x", content: [1], descriptor: .signed)])
    #expect(throws: ZipFault.unknownSize) { try read(archive, by: 100) }
  }

  @Test("Encrypted files, and other packings than deflate, are refused") func unsupported() {
    #expect(throws: ZipFault.unsupported) {
      try read(SampleZip.archive([.init(name: "x", content: [1], flags: 1)]), by: 100)
    }
    #expect(throws: ZipFault.unsupported) {
      try read(SampleZip.archive([.init(name: "x", content: [1], method: 93)]), by: 100)
    }
  }

  @Test(
    "What is no archive, or breaks its own word, is broken",
    arguments: [
      Array("<html>Sign in</html>".utf8),
      SampleZip.archive([.init(name: "x", content: [1, 2], deflated: [0xFF, 0xFF, 0xFF])]),
      // Other sizes than the records say.
      SampleZip.archive([.init(name: "x", content: [1, 2, 3], deflated: SampleZip.blocks([1, 2]))]),
      SampleZip.bytes(.init(name: "x", content: [1], deflated: SampleZip.blocks([1]), descriptor: .signed)).dropLast(1)
        + [9] + SampleZip.directory,
      SampleZip.bytes(.init(name: "x", content: [1])) + [0, 0, 0, 0] + SampleZip.directory,
      // Sizes are in an extra field that is not there.
      [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 14) + [UInt8](repeating: 0xFF, count: 8) + [0, 0, 0, 0],
    ]) func broken(archive: [UInt8])
  {
    #expect(throws: ZipFault.broken) { try read(archive, by: 1 << 20) }
    #expect(throws: ZipFault.broken) { try read(archive, by: 1) }
  }

  @Test("An archive that is cut is not over, and no file is told that was not whole") func cut() throws {
    let archive = SampleZip.archive(Self.files)
    for length in stride(from: 0, to: archive.count - SampleZip.directory.count, by: 997) {
      let (found, isOver) = try read(Array(archive.prefix(length)), by: 1 << 20)
      #expect(!isOver)
      for (file, told) in zip(Self.files, found) {
        #expect(file.name == told.name)
        #expect(!told.hasEnded || told.content == file.content)
      }
    }
  }

  @Test("Random damage ends in a fault, or in other bytes, and in nothing else") func damage() throws {
    let archive = SampleZip.archive(Self.files)
    var seed: UInt64 = 7
    var faults = 0
    for _ in 0..<400 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var damaged = archive
      damaged[Int(seed >> 33) % 700] = UInt8(truncatingIfNeeded: seed >> 20)
      do throws(ZipFault) {
        _ = try read(damaged, by: 5000)
      } catch {
        faults += 1
      }
    }
    #expect(faults > 50)
  }

  @Test("What unpacks to far more than came is passed on in small pieces") func bomb() throws {
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    var reader = ZipReader()
    reader.add(SampleZip.archive([.init(name: "z", content: zeros, deflated: SampleZip.packedZeros)])[...])
    var (largest, sum) = (0, 0)
    while let part = try reader.next() {
      if case .bytes(let bytes) = part {
        (largest, sum) = (max(largest, bytes.count), sum + bytes.count)
      }
    }
    #expect(sum == zeros.count)
    #expect(largest <= 256 << 10)
  }
}
