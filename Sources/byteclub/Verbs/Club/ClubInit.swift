import ArgumentParser
import FileStores
import JSON

/// `byteclub club init`.
struct ClubInit: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make a club's folder and its photos folder.",
    discussion: Examples.text([
      "byteclub club init": "the club of the config",
      "byteclub club init --folder ~/Garage": "a directory",
    ])
      + "\n\nExisting files stay as they are.")

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let setup = try ClubSetup(shared.start)
    try await setup.makeClub()
    setup.log.info("club init", ["place": setup.choice.place])
    return Answer(
      [
        Record(
          .members(["name": .string(setup.choice.name), "path": .string(setup.choice.directory ?? setup.choice.place)]),
          line: nil)
      ],
      notice: "The club's folder is \(setup.choice.place), its photos are in \(setup.config.photosFolder).")
  }
}
