import FileStores
import Imaging
import Transfers

/// Photos that are on this machine already: nothing is asked of the store for them.
extension PhotosService {
  /// A photo from its copy at `file`; nil when that cannot be read, or is no picture any more.
  func copy(of path: StorePath, at file: String) async -> LoadedPhoto? {
    do throws(StoreError) {
      let source = try await FileSource(path: file, pool: pool)
      let (bytes, hash) = try await reader.load(source, name: PhotoReader.name(path))
      let entry = FileEntry(path: path, kind: .file, size: UInt64(bytes.count), contentHash: hash)
      return LoadedPhoto(bytes: bytes, entry: entry, contentHash: hash)
    } catch {
      return nil
    }
  }
}
