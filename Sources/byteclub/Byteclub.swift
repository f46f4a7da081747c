import Basics
import CLinux
import Decoding
import FileStores
import Glibc

@main
struct Byteclub {
  static func main() {
    if WorkerProgram.isWanted(ProgramArguments.words) { exit(WorkerProgram.run()) }
    cl_keep_memory_small()
    DescriptorLimit.raise()
    OwnTasks.begin()
    _ = Environment.process
    exit(CommandLineProgram.run(Array(ProgramArguments.words.dropFirst())))
  }
}
