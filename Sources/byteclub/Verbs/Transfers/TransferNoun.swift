import ArgumentParser

/// `byteclub transfer`.
struct TransferNoun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfer",
    abstract: "List uploads and downloads, steer them, and carry on with those that were broken off.",
    discussion: Examples.text([
      "byteclub transfer ls": "all transfers, whichever byteclub carries them out",
      "byteclub transfer run": "carry on with everything that is unfinished",
      "byteclub transfer pause t4k2": "stop one for a while; the beginning of its id is enough",
      "byteclub transfer limit 2M": "at most 2 MiB a second, from now on",
      "byteclub transfer wait": "return when all are over",
    ])
      + "\n\nTransfers are kept in a journal: after a crash or a reboot they go on where they were. One byteclub at a "
      + "time carries them out: the app, a photo put or get, or transfer run. The other commands reach it wherever it "
      + "runs; when nobody carries transfers out, they only write down what is to be.",
    subcommands: [
      TransferList.self, TransferPause.self, TransferResume.self, TransferCancel.self, TransferRetryVerb.self,
      TransferDismiss.self,
      TransferMoveVerb.self, TransferLimit.self, TransferWaitVerb.self, TransferRunVerb.self,
    ])
}
