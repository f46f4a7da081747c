public import Basics
import Database
public import Decoding
public import FileStores
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import POSIX
import ServiceLifecycle
import UnixSignals

/// Gives members their club's files over HTTP, like Dropbox's API v2. The server's own data (ids, versions, unfinished
/// uploads) are in a directory for each club.
/// Every route needs a member's token, except those that `RouteTable` marks as public with a reason.
public struct StoreServer: Sendable {
  private let clubs: ServedClubs
  private let options: ServerOptions
  private let tls: ServerTLS?
  private let logger: Logger

  /// Opens or creates the server's own data. Blocks.
  /// - Parameter sources: at least one club.
  /// - Parameter pool: threads for blocking calls.
  /// - Parameter decoder: makes the thumbnails.
  /// - Throws: errors of the files below a club's `directory`; `notPermitted` for unsafe options; `badInput` without a
  ///   club.
  public init(
    clubs sources: [ClubSource], options: ServerOptions, pool: BlockingPool, decoder: any PictureDecoding,
    logger: Logger
  ) throws(StoreError) {
    try options.check()
    guard let first = sources.first else {
      throw StoreError(.badInput, "The server has no club.", remedy: "Name its folder with --root DIR.")
    }
    tls = try options.security.map { (security) throws(StoreError) in try ServerTLS(security) }
    let shared = ServerShared(options)
    let pageSeal = Seal(key: try first.members.secret("seal"))
    func open(_ source: ClubSource) throws(StoreError) -> ServedClub {
      try ServedClub(source, shared, pageSeal: pageSeal, options: options, pool: pool, decoder: decoder, logger: logger)
    }
    var others: [ServedClub] = []
    for source in sources.dropFirst() { others.append(try open(source)) }
    clubs = ServedClubs(try open(first), others)
    self.options = options
    self.logger = logger
  }

  /// Reads the certificate again, for new connections. A certificate that cannot be used leaves the old one in place,
  /// and the log says why. Blocks.
  /// - Returns: true if there was a new certificate to read and it is in use.
  @discardableResult public func reload() -> Bool {
    guard let tls else {
      logger.info("There is nothing to read again: the server has no certificate.")
      return false
    }
    do throws(StoreError) {
      try tls.reload()
      logger.info("The certificate was read again. New connections use it; it ends at \(WireTime.text(tls.end)).")
      return true
    } catch {
      logger.error(
        "The new certificate cannot be used, so the old one stays, which ends at \(WireTime.text(tls.end)): \(error)")
      return false
    }
  }

  /// Serves until the task is cancelled or, with `handlingSignals`, SIGINT or SIGTERM arrives. Then waits at most
  /// `stopSeconds` for running requests. SIGHUP reloads if `options.reloadsOnHangup` is true, too.
  /// - Parameter stage: called from any thread.
  /// - Throws: `StoreError` if it cannot listen at its address; any other error that ends it.
  public func run(handlingSignals: Bool = true, stage: @escaping @Sendable (ServerStage) -> Void) async throws {
    let latch = ListeningLatch(options.listen, needsMetrics: options.metrics != nil) {
      stage(.listening(port: $0, metrics: $1))
    }
    var services: [any Service] = []
    if let address = options.metrics {
      let tls = tls
      services.append(
        StatusServer(
          host: address.host, port: address.port,
          responder: StatusResponder(
            clubs: clubs, version: options.version, started: ServerOptions.now(), certificateEnd: { tls?.end }),
          ready: { latch.note(metrics: $0) }, logger: logger))
    }
    services.append(listeners(latch))
    if handlingSignals, options.reloadsOnHangup {
      let (server, pool) = (self, clubs.first.index.pool)
      services.append(
        HangupService(signals: await UnixSignalsSequence(trapping: [.sighup])) { [options] in
          if options.hasLostTerminal() {
            kill(getpid(), SIGTERM)
            return
          }
          stage(.reloading)
          _ = await pool.run { server.reload() }
          stage(.reloaded)
        })
    }
    // The last service is the first to be stopped.
    services.append(StopNotice { stage(.stopping) })
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: handlingSignals ? [.sigterm, .sigint] : [], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(options.stopSeconds)
    let group = ServiceGroup(configuration: configuration)
    // Cancelling the group would abort its requests. This task is not cancelled with the caller, so the shutdown is
    // graceful.
    let serving = Task { try await group.run() }
    try await withTaskCancellationHandler {
      try await serving.value
    } onCancel: {
      Task { await group.triggerGracefulShutdown() }
    }
  }

  private func listeners(_ latch: ListeningLatch) -> Listeners {
    let responder = ClubResponder(
      clubs: clubs, table: .all, monitor: RequestMonitor(metrics: clubs.first.metrics, write: options.writeAccess))
    let keepers = clubs.all.map { ClubKeeper(club: $0, options: options, logger: logger) }
    // The first listener has the keepers.
    var services: [any Service] = keepers + [MemoryKeeper(club: clubs.first, giveMemoryBack: options.giveMemoryBack)]
    var all: [(ListenAddress, any Service)] = []
    for (number, address) in options.listen.enumerated() {
      all.append((address, application(at: address, number, responder, services, latch)))
      services = []
    }
    return Listeners(all: all)
  }

  private func application(
    at address: ListenAddress, _ number: Int, _ responder: ClubResponder, _ services: [any Service],
    _ latch: ListeningLatch
  ) -> some Service {
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: 32 * 1024, maxHeaderListSize: 64 * 1024, maxHeaderFieldCount: 100)
    let (pieceTime, lingerTime) = (
      TimeAmount.seconds(options.slowestPieceSeconds), TimeAmount.seconds(options.lingerSeconds)
    )
    let (tls, options, shared) = (address.host == nil ? nil : tls, options, responder.shared)
    let server = HTTPServerBuilder { respond in
      let plain = LoopChannel(
        base: HTTP1Channel(
          responder: { request, writer, channel in
            if request.headers.value("Expect")?.lowercased() == "100-continue",
              await responder.mayContinue(request, peer: channel.remoteAddress?.ipAddress ?? TrustedProxies.local)
            {
              try await writer.writeInformationalHead(HTTPResponse(status: .continue))
            }
            try await respond(request, writer, channel)
          },
          configuration: HTTP1Channel.Configuration(
            additionalChannelHandlers: [
              ConnectionPace(pieceTime: pieceTime, lingerTime: lingerTime), VisitorHandler(shared.visitors),
              AnswerDate(),
            ],
            idleTimeout: .seconds(options.idleSeconds), httpDecoderConfiguration: decoder)),
        atHand: options.chaos == nil ? responder : nil, shares: shared.shares,
        opened: { shared.metrics.connectionOpened() },
        closed: {
          shared.metrics.connectionClosed()
          shared.activity.noteEnd()
        })
      guard let tls else { return plain }
      return TLSConnections(base: plain, tls: tls)
    }
    return Application(
      responder: ChaosResponder(options.chaos, before: responder), server: server,
      configuration: ApplicationConfiguration(
        address: address.bound,
        availableConnectionsDelegate: AvailableConnections(most: max(1, options.connections / options.listen.count))),
      services: services,
      onServerRunning: { channel in
        address.open()
        latch.note(port: channel.localAddress?.port ?? 0, of: number)
      }, logger: logger)
  }
}
