import ArgumentParser

/// `byteclub transfer`.
struct TransferNoun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfer",
    abstract: "List, pause, resume, cancel and continue uploads and downloads.",
    discussion: Examples.text([
      "byteclub transfer ls": "all transfers of every running byteclub",
      "byteclub transfer run": "finish all unfinished transfers",
      "byteclub transfer pause t4k2": "stop one for a while; the beginning of its id is enough",
      "byteclub transfer limit 2M": "at most 2 MiB a second, from now on",
      "byteclub transfer wait": "wait until all have finished",
    ])
      + "\n\nA journal keeps the transfers: after a crash or a reboot they continue where they stopped. One byteclub at a "
      + "time runs them: the app, a photo put or get, or transfer run. The other commands reach it wherever it "
      + "runs; when no byteclub runs transfers, they only change the journal.",
    subcommands: [
      TransferList.self, TransferPause.self, TransferResume.self, TransferCancel.self, TransferRetryVerb.self,
      TransferDismiss.self,
      TransferMoveVerb.self, TransferLimit.self, TransferWaitVerb.self, TransferRunVerb.self,
    ])
}
