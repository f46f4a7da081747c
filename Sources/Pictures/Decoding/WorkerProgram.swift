package import Basics
import Imaging

/// The worker: this very program, started again by `WorkerProcess` with an argument that no member types. It reads
/// requests from its standard input, a socket, one at a time, until the other end closes. It opens nothing: the
/// picture's bytes and the place for the result come as descriptors.
public enum WorkerProgram {
  /// Its arguments, the first of which is its name in lists of processes.
  public static let arguments = ["byteclub", "--decode-for-parent"]

  /// True if this process was started as a worker.
  public static func isWanted(_ words: [String]) -> Bool {
    words == arguments || words == WorkerKind.heif.arguments(arguments)
  }

  /// The least room for the program itself, the libraries and pieces of files; works are estimated beside it.
  static let ownBytes = 96 << 20
  static let mostFileBytes = 2 << 30
  /// Each request sets a limit below it.
  static let mostDataBytes = PictureLimits.mostMemoryBytes + ownBytes
  static let mostDescriptors = 8

  /// Works until the parent is gone. Returns the exit status.
  public static func run() -> Int32 {
    Confinement.leave(keeping: 3)
    let isHEIF = ProgramArguments.words == WorkerKind.heif.arguments(arguments)
    // Installed later, the library is found by the next worker.
    let isLasting = !isHEIF || Decoder.loadHEIF()
    warmUp()
    let refusals = Confinement.confine(
      mostFileBytes: mostFileBytes, mostDataBytes: mostDataBytes, mostDescriptors: mostDescriptors, threads: isHEIF)
    let socket = MessageSocket(owning: 0)
    do throws(SystemError) {
      try socket.send(WorkerGreeting(refusals).bytes)
      while let message = try socket.receive(limit: 256) {
        guard let request = WorkerRequest(message.bytes), message.files.count == 2 else { return 1 }
        let answer = answer(to: request, message.files[0], message.files[1])
        try socket.send(answer.bytes)
        if !isLasting { return 0 }
      }
      return 0
    } catch {
      return 1
    }
  }

  private static func answer(to request: WorkerRequest, _ file: OpenFile, _ target: OpenFile) -> WorkerAnswer {
    Confinement.limitData(request.limits.maxMemoryBytes + ownBytes)
    do throws(ImageError) {
      let flag = try ImageError.supplied { () throws(SystemError) in try SharedFlag(target) }
      let content = PictureContent(file: file, count: request.count)
      let result = try request.work.perform(
        on: content.input(), orientation: request.orientation, limits: request.limits,
        isCancelled: { flag.isRaised })
      switch result {
      case .pixels(let pixels, let isDamaged):
        try write(pixels.bytes, to: target)
        return WorkerAnswer(number: request.number, .pixels(pixels.size, isDamaged: isDamaged))
      case .file(let bytes, let size):
        try write(bytes, to: target)
        return WorkerAnswer(number: request.number, .file(size, count: bytes.count))
      case .checked: return WorkerAnswer(number: request.number, .checked)
      }
    } catch {
      return WorkerAnswer(number: request.number, .failed(error))
    }
  }

  private static func write(_ bytes: [UInt8], to target: OpenFile) throws(ImageError) {
    try ImageError.supplied { () throws(SystemError) in
      try target.write(bytes[...], at: UInt64(WorkerAnswer.offset))
    }
  }

  /// Lets the libraries and the runtime do at once what they do at their first use, such as asking for the machine's
  /// abilities.
  private static func warmUp() {
    let pixels = Pixels(width: 16, height: 16, colour: 0x804020)
    let files = [
      try? Encoder.jpeg(pixels, quality: 80), try? Encoder.jpeg(pixels, quality: 80, isProgressive: true),
      try? Encoder.png(pixels), try? Encoder.webP(pixels, quality: 80), try? Encoder.webP(pixels, quality: nil),
    ]
    for case let file? in files { _ = try? Thumbnail.make(file, maxEdge: 8) }
    Decoder.warmUpColours()
  }
}

/// Workers for HEIF alone load libheif, and may start threads, as that does.
enum WorkerKind: CaseIterable {
  case usual
  case heif

  init(_ content: PictureContent) {
    self = content.input().format?.isHEIF == true ? .heif : .usual
  }

  /// A worker's arguments, from those of a usual one.
  func arguments(_ usual: [String]) -> [String] { self == .heif ? usual + ["heif"] : usual }
}

/// The first message of a worker.
package struct WorkerGreeting: Equatable {
  static let count = 16
  private static let mark = 0x6265_6164_6C67

  package let refusals: Confinement.Refusals

  package init(_ refusals: Confinement.Refusals) { self.refusals = refusals }

  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.count, let words = WorkerWords.words(bytes[...], 2), words[0] == Self.mark else {
      return nil
    }
    refusals = Confinement.Refusals(rawValue: words[1])
  }

  package var bytes: [UInt8] { WorkerWords.bytes([Self.mark, refusals.rawValue]) }
}
