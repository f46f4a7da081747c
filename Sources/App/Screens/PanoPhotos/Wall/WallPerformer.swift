internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

/// Reads photos for the wall with the services of the photos' tab.
struct WallPerformer: AnsweringPerformer {
  typealias Effect = WallEffect
  typealias Action = WallAction

  let photos: PhotosPerformer
  let notes: NotesService

  /// For the pixels of a terminal; blocks need fewer.
  private static let fineEdge = 4096

  func answer(to effect: WallEffect, _ sender: Sender<WallAction>) async throws(StoreError) -> WallAction? {
    switch effect {
    case .read(let paths, let isFine): return try await read(paths, isFine: isFine).map(WallAction.read)
    case .words(let path, let member): return .worded(path, await words(of: path, member: member))
    case .wait(let pause, let action):
      guard (try? await photos.clock.sleep(for: pause)) != nil else { return nil }
      return action
    }
  }

  private func read(_ paths: [StorePath], isFine: Bool) async throws(StoreError) -> WallPhoto? {
    guard let first = paths.first else { return nil }
    switch photos.connection?.state {
    case .offline(_, let error), .waiting(_, let error):
      let kept = await photos.service.keptPhotos(paths)
      for path in paths where kept.contains(path) && !Task.isCancelled {
        do throws(StoreError) {
          return try await read(path, isFine: isFine)
        } catch {
          // Another one may be whole; the wall says why photos are missing once the store answers.
          continue
        }
      }
      throw error
    case .online, .unknown, nil: return try await read(first, isFine: isFine)
    }
  }

  /// nil if the effect was cancelled.
  private func read(_ path: StorePath, isFine: Bool) async throws(StoreError) -> WallPhoto? {
    guard let ready = try await photos.ready(path, edge: isFine ? Self.fineEdge : PhotosPerformer.readyEdge) else {
      return nil
    }
    let kind = await photos.kinds?.kind(await photos.service.contentWords(of: path))
    let words = await words(of: path, member: ready.entry.member ?? "")
    return Task.isCancelled ? nil : WallPhoto(path, ready.photo, kind: kind, words: words)
  }

  /// A caption or a remark that cannot be read is not shown: the photo is what counts here.
  private func words(of path: StorePath, member: String) async -> WallWords {
    var words = WallWords()
    words.member = member
    do throws(StoreError) {
      words.caption = try await photos.service.caption(of: path)?.line ?? ""
      words.remarks = WallWords.remarks(of: try await notes.talk(about: path))
    } catch {
      return words
    }
    return words
  }
}
