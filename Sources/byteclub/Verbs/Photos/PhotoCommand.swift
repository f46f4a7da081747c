import ArgumentParser

/// `byteclub photo`.
struct PhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo",
    abstract: "List, upload, download, show, rename and remove photos.",
    discussion: Examples.text([
      "byteclub photo ls --long": "photos with size and time",
      "byteclub photo put garage.jpg beach.jpg": "upload photos to the club",
      "byteclub photo get garage.jpg --to ~/Pictures": "download one",
      "byteclub photo view garage.jpg": "draw it in the terminal",
    ]),
    subcommands: [
      PhotoList.self, PhotoPut.self, PhotoGet.self, PhotoMove.self, PhotoRemove.self, PhotoInfoVerb.self,
      PhotoView.self,
    ])
}
