import ArgumentParser
import FileStores
import JSON
import Screens

struct ClubInvite: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Print a line by which a friend adds your club at Dropbox, WebDAV or S3.",
    discussion: Examples.text([
      "byteclub club invite": "the club that is opened without a name",
      "byteclub club invite cloud": "on the friend's machine: byteclub join -",
    ])
      + "\n\nThe line has no password and no key of yours: the friend signs in with their own. A club behind byteclub serve has "
      + "real invitations, which its owner makes: byteclub serve invite NAME")

  @Argument(help: "The club's name on this machine.", completion: NameCompletion.clubs) var name: String?
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if shared.folder != nil || name != nil && shared.club != nil {
      throw ValidationError("invite takes one club, as its argument or by --club.")
    }
  }

  func perform(_ output: Output) async throws -> Answer {
    let setup = try ClubSetup(StartOptions(config: shared.config, club: name ?? shared.club))
    let places = Places(paths: setup.paths, environment: .process, config: shared.config)
    do throws(StoreError) {
      let shown = try places.line(for: setup.choice.name)
      var answer = Answer([
        Record(.members(["name": .string(setup.choice.name), "line": .string(shown.line)]), line: shown.line)
      ])
      answer.notices = shown.sentences
      return answer
    } catch {
      throw ConfigFault(error.description)
    }
  }
}
