import Glibc

@main
struct Byteclub {
  static func main() {
    exit(CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())))
  }
}
