import Foundation

/// Runs a program of the system over bytes.
enum Shell {
  static func run(_ program: String, _ arguments: [String], _ input: Data = Data()) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let (source, answer) = (Pipe(), Pipe())
    process.standardInput = source
    process.standardOutput = answer
    try process.run()
    // The inputs of these tests fit into a pipe.
    source.fileHandleForWriting.write(input)
    try source.fileHandleForWriting.close()
    let output = answer.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
