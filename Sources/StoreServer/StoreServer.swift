public import Database
public import Decoding
public import FileStores
import Hummingbird
import HummingbirdCore
public import Logging
import HummingbirdTLS
import NIOCore
import NIOSSL
import ServiceLifecycle
import UnixSignals

/// Gives members a club's files over HTTP, like Dropbox's API v2. Its own data (ids, versions, unfinished uploads) is
/// in a directory of its own.
/// Every route needs a member's token, except those that `RouteTable` marks as public with a reason.
public struct StoreServer: Sendable {
  private let club: ServedClub
  private let options: ServerOptions
  private let logger: Logger

  /// Opens or creates the server's own data in `directory`, which is outside the club's folder. Blocks.
  /// - Parameter pool: threads for blocking calls.
  /// - Parameter decoder: makes the thumbnails.
  /// - Throws: errors of the files below `directory`; `notPermitted` for unsafe options.
  public init(
    store: any FileStore, directory: PrivateDirectory, members: ServerMembersDatabase, options: ServerOptions,
    pool: BlockingPool, decoder: any PictureDecoding, logger: Logger
  ) throws(StoreError) {
    try options.check()
    let now: @Sendable () -> Int64 = { ServerOptions.now() }
    let room = try ContentRoom(below: directory, pool: pool, freeBytes: options.freeBytes)
    let index = ClubIndex(
      store: store, database: try ServerIndexDatabase(path: directory.path(of: "index.sqlite")), pool: pool, now: now,
      relief: { room.giveUpReserve() })
    let spaceKey = try members.secret("namespace")
    club = ServedClub(
      files: ClubFiles(index: index, room: room, versions: options.versions, logger: logger),
      uploads: UploadSessions(index: index, room: room, limits: options.sessions), members: members,
      seal: Seal(key: try members.secret("seal")),
      space: String(spaceKey.prefix(4).reduce(1 as UInt64) { $0 << 8 | UInt64($1) }),
      isSecure: options.security != nil, proxies: options.proxies,
      failures: FailureLimit(most: options.failuresPerMinute),
      slowest: (options.slowestBodyRate, options.slowBodySeconds), archives: options.archives,
      shares: ConnectionShares(
        all: options.connections, perAddress: options.connectionsPerAddress, proxies: options.proxies),
      longPolls: LongPolls(perMember: options.longPollsPerMember, all: options.connections * 3 / 4),
      web: options.web, capacity: options.capacity, decoder: decoder,
      links: try ServedLinks(isAllowed: options.sharesLinks, members, index))
    self.options = options
    self.logger = logger
  }

  /// Serves until the task is cancelled or, with `handlingSignals`, SIGINT or SIGTERM arrives. Then waits at most
  /// `stopSeconds` for running requests.
  /// - Parameter ready: called with the port once the server answers.
  /// - Throws: `StoreError` if it cannot listen at its address; any other error that ends it.
  public func run(handlingSignals: Bool = true, ready: @escaping @Sendable (Int) -> Void) async throws {
    let responder = ClubResponder(club: club, table: .all)
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: 32 * 1024, maxHeaderListSize: 64 * 1024, maxHeaderFieldCount: 100)
    let (pieceTime, lingerTime) = (
      TimeAmount.seconds(options.slowestPieceSeconds), TimeAmount.seconds(options.lingerSeconds)
    )
    let plain = HTTPServerBuilder { respond in
      LoopChannel(
        base: HTTP1Channel(
          responder: { request, writer, channel in
            if request.headers.value("Expect")?.lowercased() == "100-continue",
              await responder.mayContinue(request, peer: channel.remoteAddress?.ipAddress ?? "local")
            {
              try await writer.writeInformationalHead(HTTPResponse(status: .continue))
            }
            try await respond(request, writer, channel)
          },
          configuration: HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionPace(pieceTime: pieceTime, lingerTime: lingerTime)],
            idleTimeout: .seconds(options.idleSeconds), httpDecoderConfiguration: decoder)),
        atHand: options.chaos == nil ? responder : nil, shares: club.shares)
    }
    let server = try options.security.map { try HTTPServerBuilder.tls(plain, tlsConfiguration: $0.configuration()) }
    let application = Application(
      responder: ChaosResponder(options.chaos, before: responder), server: server ?? plain,
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port),
        availableConnectionsDelegate: AvailableConnections(most: options.connections)),
      services: [ClubKeeper(club: club, options: options, logger: logger)],
      onServerRunning: { channel in ready(channel.localAddress?.port ?? options.port) }, logger: logger)
    var configuration = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: handlingSignals ? [.sigterm, .sigint] : [], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(options.stopSeconds)
    let group = ServiceGroup(configuration: configuration)
    // Cancelling the group would abort its requests. This task is not cancelled with the caller, so the shutdown is
    // graceful.
    let serving = Task { try await group.run() }
    do {
      try await withTaskCancellationHandler {
        try await serving.value
      } onCancel: {
        Task { await group.triggerGracefulShutdown() }
      }
    } catch {
      throw ListenFault.error(error, host: options.host, port: options.port) ?? error
    }
  }
}

struct ClubKeeper: Service, CustomStringConvertible {
  let club: ServedClub
  let options: ServerOptions
  let logger: Logger

  var description: String { "ClubKeeper" }

  func run() async throws {
    let club = club
    let logger = logger
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await club.index.follow { logger.warning("The server could not watch the club's folder: \($0)") }
        }
        group.addTask { await club.files.keepNews() }
        group.addTask { await club.index.hashLater() }
        group.addTask { await rest(club) }
        group.addTask { await tidy(club, logger) }
      }
    }
  }

  private func rest(_ club: ServedClub) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(10))
      if club.activity.isTimeToTidy() { await club.index.pool.run { options.giveMemoryBack() } }
    }
  }

  private func tidy(_ club: ServedClub, _ logger: Logger) async {
    while !Task.isCancelled {
      do {
        try await club.uploads.removeOld()
        try await club.files.forgetOld()
        try await club.files.forgetOldTrash(options.trash)
        try await club.index.write { writing in
          try writing.forgetDeleted(keeping: 100_000)
          try writing.forgetTags()
        }
        let (members, now) = (club.members, club.index.now())
        try await club.index.pool.run { () throws(StoreError) in
          try members.forgetTokens(endedBefore: now - 86_400)
          try members.forgetLinks(endedBefore: now - 86_400)
        }
      } catch {
        logger.warning("The server could not remove old data: \(error)")
      }
      try? await Task.sleep(for: .seconds(3600))
    }
  }
}
