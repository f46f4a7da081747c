internal import Basics
public import Database
public import FileStores

extension PhotosService {
  /// When the listed photos were taken, as far as it is known on this machine.
  public struct Captures: Sendable {
    public var times: [StorePath: CaptureTime] = [:]
    /// Photos whose headers were not read yet.
    public var unread: [StorePath] = []

    /// In UTC. A camera that does not say its zone was in the member's, most likely.
    public var moments: [StorePath: Timestamp] {
      times.mapValues { time in
        let offset = time.zone ?? Timestamp(seconds: Int64(time.clock)).localOffset
        return Timestamp(seconds: Int64(time.moment(offset: offset)))
      }
    }
  }

  /// Photos between two reports of `readCaptures`.
  private static let reported = 500

  /// Reads no photo. Without the catalogue, nothing is known.
  public func captures() async -> Captures {
    let (catalogue, club, known) = (thumbnails.catalogue, club, known)
    return await pool.run {
      do throws(StoreError) {
        var captures = Captures()
        for (entry, time) in try PhotosService.matched(known.all, with: catalogue.captureTimes(), club, catalogue) {
          switch time {
          case .some(.some(let time)): captures.times[entry.path] = time
          case .some(.none): continue
          case .none: captures.unread.append(entry.path)
          }
        }
        captures.unread.sort()
        return captures
      } catch {
        return Captures()
      }
    }
  }

  /// As `captures`; in a club on this machine then reads the headers that were not read yet, each once, and reports again
  /// now and then. Behind a network the photos are left alone: their facts come with their thumbnails.
  public func readCaptures(_ report: (Captures) async -> Void) async {
    let known = await captures()
    await report(known)
    guard cache == nil, !known.unread.isEmpty else { return }
    for (number, path) in known.unread.enumerated() where !Task.isCancelled {
      do throws(StoreError) {
        _ = try await header(of: path)
      } catch {
        // The photo keeps its place; its thumbnail reports the reason.
        continue
      }
      if number % PhotosService.reported == PhotosService.reported - 1 { await report(await captures()) }
    }
    if !Task.isCancelled { await report(await captures()) }
  }

  /// Listed photos with the facts of their contents, if there are any. Blocks.
  static func matched<Facts>(
    _ entries: [FileEntry], with facts: [ContentHash: Facts], _ club: Club, _ catalogue: CatalogueDatabase
  ) throws(StoreError) -> [(entry: FileEntry, facts: Facts?)] {
    let files = try catalogue.files(withContents: Set(facts.keys), club: club.key)
    return entries.map { entry in
      let kept = files[entry.path.bytes].flatMap { $0.revision == entry.revision ? $0.hash : nil }
      let hashes = [entry.contentHash, kept, ThumbnailCache.word(for: entry, club: club)]
      return (entry, hashes.lazy.compactMap { $0.flatMap { facts[$0] } }.first)
    }
  }
}
