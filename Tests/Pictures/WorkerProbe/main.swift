import Basics
import Decoding
import POSIX

/// A worker, or one that does a thing wrong: the second argument names it. With a third, the path of a file, it adds a line
/// with the number of each request that it has read.

let words = Array(ProgramArguments.words)
if WorkerProgram.isWanted(words) { exit(WorkerProgram.run()) }
let fault = words.count > 1 ? words[1] : ""

/// Prints the results of what a worker must not be able to do.
/// - Parameter threads: true for the lock of a worker for HEIF.
func tryToEscape(threads: Bool) -> Never {
  let before = open("/etc/passwd", O_RDONLY)
  Confinement.leave(keeping: 3)
  // The C library does not show it to Swift.
  typealias Signal = @convention(c) (pid_t, pid_t, Int32) -> Int32
  typealias Call = @convention(c) (Int, Int, Int, Int, Int, Int) -> Int
  guard let found = dlsym(nil, "tgkill"), let general = dlsym(nil, "syscall") else { exit(8) }
  let tgkill = unsafeBitCast(found, to: Signal.self)
  let call = unsafeBitCast(general, to: Call.self)
  #if arch(x86_64)
    let (clone, clone3) = (56, 435)
  #else
    let (clone, clone3) = (220, 435)
  #endif
  let refusals = Confinement.confine(
    mostFileBytes: 1 << 20, mostDataBytes: 64 << 20, mostDescriptors: 8, threads: threads)
  func say(_ text: String) { try? OpenFile.write(Array((text + "\n").utf8)[...], to: 1) }
  func attempt(_ name: String, _ call: () -> Int32) {
    errno = 0
    say("\(name) \(call() < 0 ? "error \(errno)" : "succeeded")")
  }
  say("before \(before >= 0)")
  say("refusals \(refusals.rawValue)")
  attempt("open") { open("/etc/passwd", O_RDONLY) }
  attempt("create") { open("/tmp/byteclub-escape", O_WRONLY | O_CREAT, 0o600) }
  attempt("unlink") { unlink("/tmp/byteclub-escape") }
  attempt("socket") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
  attempt("fork") { fork() }
  // A process by clone(2), with and without a thread's sharing of memory, and one by clone3(2).
  let flags: [(String, Int)] = [("clone", 17), ("vfork-clone", 0x4100 | 17), ("new-user", 0x1000_0000 | 17)]
  for (name, flags) in flags { attempt(name) { Int32(truncatingIfNeeded: call(clone, flags, 0, 0, 0, 0)) } }
  attempt("clone3") { Int32(truncatingIfNeeded: call(clone3, 0, 0, 0, 0, 0)) }
  attempt("thread") {
    var thread = pthread_t()
    errno = pthread_create(&thread, nil, { _ in nil }, nil)
    return errno == 0 ? pthread_join(thread, nil) : -1
  }
  attempt("kill") { kill(getppid(), 0) }
  attempt("signal") { tgkill(getppid(), getppid(), 0) }
  attempt("signal-own") { raise(0) }
  attempt("execute") { execv("/bin/true", [nil]) }
  attempt("limit") {
    var limit = rlimit(rlim_cur: 100, rlim_max: 100)
    return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
  let all = rlimit(rlim_cur: .max, rlim_max: .max)
  for (name, resource) in [("data", RLIMIT_DATA), ("files", RLIMIT_FSIZE)] {
    var limit = all
    attempt("raise-\(name)") { setrlimit(__rlimit_resource_t(resource.rawValue), &limit) }
  }
  attempt("gigabyte") {
    mmap(nil, 1 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0
  }
  attempt("code") {
    mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0
  }
  attempt("memory") {
    mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0
  }
  exit(0)
}

/// Tells the test what was asked.
func note(_ request: [UInt8]) {
  guard words.count > 2 else { return }
  let file = open(words[2], O_WRONLY | O_CREAT | O_APPEND, 0o600)
  defer { close(file) }
  let number = request.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
  try? OpenFile.write(Array("\(number)\n".utf8)[...], to: file)
}

/// Waits until the test opens the pipe beside the file.
func waitAtGate() { close(open(words[2] + ".gate", O_RDONLY)) }

func word(_ number: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }

/// Becomes a worker for HEIF that looks for libraries in this folder first.
func become(workerWithLibrariesIn folder: String) -> Never {
  setenv("LD_LIBRARY_PATH", folder, 1)
  var arguments = (WorkerProgram.arguments + ["heif"]).map { strdup($0) } + [nil]
  execv("/proc/self/exe", &arguments)
  exit(7)
}

if fault == "escape" || fault == "escape-with-threads" { tryToEscape(threads: fault == "escape-with-threads") }
if fault == "lacks-libheif" { become(workerWithLibrariesIn: words[2]) }
if fault == "ends-at-start" { exit(3) }
if fault == "greets-wrongly" {
  try? MessageSocket(owning: 0).send([1, 2, 3])
  pause()
}

let channel = MessageSocket(owning: 0)
try channel.send(WorkerGreeting(fault == "is-refused" ? .calls : []).bytes)
var hasWaited = false
while let message = try channel.receive(limit: 256) {
  note(message.bytes)
  let number = Array(message.bytes.prefix(8))
  switch fault {
  case "answers-garbage": try channel.send((0..<100).map { UInt8(truncatingIfNeeded: $0 &* 37) })
  case "answers-at-length": try channel.send([UInt8](repeating: 7, count: 5000))
  case "answers-huge": try channel.send(number + word(0) + word(65_535) + word(65_535) + word(0) + word(0))
  case "answers-negative": try channel.send(number + word(0) + word(-5) + word(10) + word(0) + word(0))
  case "answers-another": try channel.send(word(77) + word(0) + word(8) + word(8) + word(0) + word(0))
  case "answers-a-file": try channel.send(number + word(1) + word(8) + word(8) + word(100) + word(0))
  case "answers-with-files":
    let files = [try OpenFile.inMemory(size: 1), try OpenFile.inMemory(size: 1)]
    try channel.send(number + word(0) + word(8) + word(8) + word(0) + word(0), files: files)
  case "fails-at-length":
    try channel.send(
      number + word(3) + word(1) + word(200) + word(1 << 40) + word(0) + [UInt8](repeating: 65, count: 200))
  case "fails-with-control":
    try channel.send(number + word(3) + word(3) + word(7) + word(0) + word(0) + [27, 91, 50, 74, 72, 105, 46])
  case "shrinks-result":
    let cut = ftruncate(message.files[1].descriptor, 0)
    try channel.send(number + word(0) + word(8) + word(8) + word(cut == 0 ? 9 : 0) + word(0))
  case "waits":
    if !hasWaited { waitAtGate() }
    hasWaited = true
    try channel.send(number + word(0) + word(8) + word(8) + word(0) + word(0))
  case "aborts": abort()
  case "exits": exit(0)
  case "hangs": while true { pause() }
  case "spins": while true {}
  default: exit(9)
  }
}
