import CLinux
import Glibc

@main
struct Byteclub {
  static func main() {
    cl_keep_memory_small()
    _ = Environment.process
    exit(CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())))
  }
}
