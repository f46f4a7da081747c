internal import ClubServices
internal import FileStores
internal import TextUI

extension PhotosPerformer {
  /// Works for a text into which a picture of this machine goes.
  func perform(_ effect: PictureEffect, _ sender: Sender<PictureAction>) async {
    switch effect {
    case .complete(let typed): sender.send(.completed(typed, await files.complete(typed, for: .upload)))
    case .look(let pasted):
      guard let path = TypedPaths.picture(pasted: String(decoding: pasted, as: UTF8.self)) else { return }
      let found = await files.complete(path, for: .upload)
      if case .files(let files) = found.meaning, files.count == 1 { sender.send(.found(files[0], pasted: pasted)) }
    case .upload(let file):
      do throws(StoreError) {
        let plan = try await service.planUpload(files.resolve(file), into: nil, again: false)
        if let there = plan.existing { return sender.send(.ready(file, there.path)) }
        // Before the upload, which may be over at once.
        sender.send(.began(file, local: plan.localPath))
        _ = try await service.upload(plan)
      } catch {
        sender.send(.ended(file, error))
      }
    }
  }
}
