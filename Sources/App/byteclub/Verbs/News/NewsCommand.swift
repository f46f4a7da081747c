import ArgumentParser
import Basics
import ClubServices
import FileStores
import JSON

/// The news of other members, for a terminal, a script or another program.
struct NewsCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "news", abstract: "Print what other members have done since the last report.",
    discussion: Examples.text([
      "byteclub news": "who did what; asked again, it says the same",
      "byteclub news --mark": "and what was printed is news no more",
      "byteclub news --all --since 7d": "of all clubs, of a week, reported or not",
      "byteclub news --follow": "go on until Ctrl-C",
      "byteclub news --follow --exec 'mail -s news ray'": "hand each batch to a program",
    ])
      + "\n\nThe first time counts everything as reported. What the app has shown is news here all the same, and the other "
      + "way round; each account of a club has news of its own. \"byteclub cache clear\" begins anew. What byteclub itself "
      + "wrote for you on this machine is no news; a folder does not name who wrote the rest."
      + "\n\nWith --follow, news comes in batches, so that fifty photos are one line: a batch ends after ten seconds of quiet, "
      + "or after a minute. While the server is away, byteclub waits for it."
      + "\n\n--exec runs \"sh -c CMD\" for each batch, with one JSON document on one line as its standard input: club, from, to "
      + "and items, each with member, action, path and time. No name is ever part of the command. A batch that CMD took (exit "
      + "code 0, within five minutes) is marked; any other is given again after a pause that grows to five minutes, and "
      + "after a restart. So CMD gets each batch at least once."
      + "\n\nThe packages bring units that tell your desktop: systemctl --user enable --now byteclub-news.service. To send "
      + "what waits every quarter of an hour: systemctl --user enable --now byteclub-sync.timer.")

  @Flag(help: "The news of all clubs of the config.") var all = false
  @Option(
    help: ArgumentHelp(
      "Everything after this time, reported or not: hours, days or weeks ago (12h, 7d, 2w), a date (2026-12-31, UTC), or a "
        + "time (2026-12-31T12:00:00Z).",
      valueName: "time"),
    transform: NewsTime.parse)
  var since: Timestamp?
  @Flag(help: "Mark what is printed as reported.") var mark = false
  @Flag(help: "Go on until Ctrl-C.") var follow = false
  @Option(
    help: ArgumentHelp("Run this with sh for each batch, which is marked when it succeeds.", valueName: "cmd"))
  var exec: String?
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if all, shared.club != nil || shared.folder != nil {
      throw ValidationError("--all is for all clubs. Leave out --club or --folder.")
    }
    if exec?.allSatisfy(\.isWhitespace) == true { throw ValidationError("--exec needs a command.") }
  }

  func perform(_ output: Output) async throws -> Answer {
    var answer = Answer()
    var clubs: [NewsClub] = []
    let setups = try setups(&answer.failures)
    guard let first = setups.first else { return answer }
    let services = SharedServices(TransferBase(first))
    for setup in setups {
      do throws(StoreError) {
        clubs.append(try await NewsClub(setup, services, isOneOfMany: all))
      } catch {
        answer.failures.append(error)
      }
    }
    if follow {
      for failure in answer.failures { output.alert(failure) }
      return try await followed(clubs, answer.failures, output)
    }
    var reported: [(club: NewsClub, marks: [NewsCursor.Mark])] = []
    for club in clubs {
      do throws(StoreError) {
        reported.append((club, try await tell(club, &answer, output)))
      } catch {
        answer.failures.append(error)
      }
    }
    if mark || exec != nil { await note(reported, &answer, output) }
    return answer
  }

  /// Marks news as reported once it is written. News that was not written whole stays news.
  private func note(
    _ reported: [(club: NewsClub, marks: [NewsCursor.Mark])], _ answer: inout Answer, _ output: Output
  ) async {
    answer.writeResults(to: output, asJSON: shared.json)
    guard exec != nil || output.tookAll else {
      answer.records = []
      answer.failures.append(
        StoreError(
          .server, "The news could not be written to its end, so none of it is marked as reported.",
          remedy: "Print it again with: byteclub news"))
      return
    }
    for (club, marks) in reported {
      do throws(StoreError) {
        try await club.reader.mark(marks)
      } catch {
        answer.failures.append(error)
      }
    }
  }

  /// A club of several whose settings are wrong hides none of the others.
  private func setups(_ failures: inout [StoreError]) throws -> [ClubSetup] {
    guard all else { return [try ClubSetup(shared.start)] }
    let base = try TransferBase(shared.start)
    var setups: [ClubSetup] = []
    for name in base.config.clubNames {
      do throws(ConfigFault) {
        setups.append(try base.setup(of: name))
      } catch {
        failures.append(StoreError(.badInput, error.description))
      }
    }
    return setups
  }

  /// Returns the marks of the reported news.
  private func tell(
    _ club: NewsClub, _ answer: inout Answer, _ output: Output
  ) async throws(StoreError) -> [NewsCursor.Mark] {
    let look = try await WaitTeller.during(club.place, output) { (teller) throws(StoreError) in
      teller.take(.asks)
      defer { teller.take(.answered) }
      return try await club.reader.look(since: since)
    }
    if look.isFirst { answer.notices.append(club.beginning) }
    if let sentence = club.isOld { output.alert(sentence) }
    if let exec, !look.items.isEmpty {
      if let reason = await NewsReceiver(exec).give(NewsText.document(look.items, club: club.name), on: club.pool) {
        throw StoreError(
          .server, "The command of --exec did not take the news of \"\(club.name)\": it \(reason).",
          remedy: "The next run gives it again.")
      }
    } else if exec == nil {
      answer.records +=
        shared.json
        ? NewsText.records(look.items, club: club.name)
        : NewsText.lines(look.items, club: all ? club.name : nil).map { Record(.null, line: $0) }
    }
    return look.items.map(\.mark) + look.rest
  }

  /// Follows all clubs at the same time, until all have failed, or the task is cancelled.
  private func followed(
    _ clubs: [NewsClub], _ failures: [StoreError], _ output: Output
  ) async throws -> Answer {
    var answer = Answer()
    answer.failures = failures
    let ended = await withTaskGroup(of: StoreError?.self) { group -> [StoreError] in
      for club in clubs {
        group.addTask { await follow(club, output) }
      }
      var ended: [StoreError] = []
      for await error in group {
        if let error {
          ended.append(error)
          if clubs.count > 1, error.kind != .cancelled { output.alert(error) }
        } else {
          // Nobody reads any more.
          group.cancelAll()
        }
      }
      return ended
    }
    if Task.isCancelled { throw StoreError.cancelled("The news") }
    answer.failures += ended.filter { $0.kind != .cancelled }
    return answer
  }

  private func follow(_ club: NewsClub, _ output: Output) async -> StoreError? {
    let (verb, receiver) = (self, exec.map { NewsReceiver($0) })
    let follower = NewsFollower(
      place: club.place, feed: club.feed,
      look: { () throws(StoreError) in
        let look = try await club.reader.look(since: verb.since)
        if look.isFirst, !verb.shared.json { output.notice(club.beginning) }
        return look
      },
      give: { items in
        let document = NewsText.document(items, club: club.name)
        if let receiver {
          guard let reason = await receiver.give(document, on: club.pool) else { return .taken }
          output.alert(
            "The command of --exec did not take the news of \"\(club.name)\": it \(reason). It gets them again.")
          return .refused
        }
        if verb.shared.json {
          output.document(document)
        } else {
          for line in NewsText.lines(items, club: verb.all ? club.name : nil) { output.line(line) }
        }
        output.finish()
        // News that could not be written is not marked.
        return output.tookAll ? .taken : .ended
      },
      mark: { marks throws(StoreError) in
        if verb.mark || receiver != nil { try await club.reader.mark(marks) }
      },
      say: { output.alert($0) })
    do throws(StoreError) {
      try await follower.run()
      return Task.isCancelled ? StoreError.cancelled("The news") : nil
    } catch {
      return error
    }
  }
}

/// The time of `--since`.
enum NewsTime {
  static func parse(_ text: String) throws -> Timestamp {
    if let seconds = LinkEnd.seconds(text) { return Timestamp(seconds: Timestamp.now().seconds - seconds) }
    if let second = LinkEnd.second(text + "T00:00:00Z") ?? LinkEnd.second(text) { return Timestamp(seconds: second) }
    throw ValidationError(
      "\"\(text)\" is no time. Write 12h, 7d, 2w, a date such as 2026-12-31, or a time such as 2026-12-31T12:00:00Z.")
  }
}
