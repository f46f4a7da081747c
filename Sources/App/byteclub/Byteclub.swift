import Basics
import CPlatform
import Decoding
import POSIX

@main
struct Byteclub {
  static func main() {
    if WorkerProgram.isWanted(ProgramArguments.words) { exit(WorkerProgram.run()) }
    cp_keep_memory_small()
    DescriptorLimit.raise()
    OwnTasks.begin()
    _ = Environment.process
    exit(CommandLineProgram.run(Array(ProgramArguments.words.dropFirst())))
  }
}
