import Testing

@testable import byteclub

/// The arguments as ArgumentParser gets them.
@Suite struct ReadArgumentsTests {
  @Test(arguments: [
    (["photo", "view", "p.jpg", "--yaw", "-90"], ["photo", "view", "p.jpg", "--yaw=-90"]),
    (["--pitch", "-.5", "--yaw", "-1e2"], ["--pitch=-.5", "--yaw=-1e2"]),
    (["--limit", "-1", "x"], ["--limit=-1", "x"]),
    (["--to", "-2031-photos"], ["--to=-2031-photos"]),
  ])
  func `a number below zero goes to the option before it`(_ row: (typed: [String], read: [String])) {
    #expect(CommandLineProgram.withNumbersJoined(row.typed) == row.read)
  }

  @Test(arguments: [
    ["note", "cat", "-90"], ["note", "put", "--", "--yaw", "-90"], ["--yaw=4", "-90"], ["--yaw", "-x"], ["--yaw", "-"],
    ["--yaw", "--9"], ["serve", "--root", "-1"], ["-l", "-9"],
    ["--club", "dav", "serve", "--listen", "-1"],
  ])
  func `all else stays as it is`(_ words: [String]) { #expect(CommandLineProgram.withNumbersJoined(words) == words) }
}
