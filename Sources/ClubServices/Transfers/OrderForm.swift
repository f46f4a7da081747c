import FileStores
import Transfers

/// A `TransferOrder` as it is written into the journal and told to other processes.
struct OrderForm: Codable, Sendable, Hashable {
  struct Upload: Codable, Sendable, Hashable {
    let file: String
    let size: UInt64
    var hash: String?
    let name: BytesForm
    let number: Int
  }

  let club: String
  let store: String
  let path: BytesForm
  let name: String
  var renamedFrom: String?
  /// One of the two.
  var upload: Upload?
  var downloadFolder: String?

  init(_ order: TransferOrder) {
    club = order.club
    store = order.store
    path = BytesForm(order.path)
    name = order.name
    renamedFrom = order.renamedFrom
    switch order.work {
    case .upload(let file, let size, let hash, let name, let number):
      upload = Upload(file: file, size: size, hash: hash?.hex, name: BytesForm(name), number: number)
    case .download(let folder): downloadFolder = folder
    }
  }

  /// - Throws: `corrupt` when it is none.
  var order: TransferOrder {
    get throws(StoreError) {
      let work: TransferOrder.Work
      if let upload {
        work = .upload(
          file: upload.file, size: upload.size, contentHash: upload.hash.flatMap { ContentHash(hex: $0) },
          name: upload.name.bytes, number: upload.number)
      } else if let downloadFolder {
        work = .download(folder: downloadFolder)
      } else {
        throw StoreError(.corrupt, "An order for \"\(name)\" says neither upload nor download.")
      }
      return TransferOrder(
        club: club, store: store, work: work, path: try path.path, name: name, renamedFrom: renamedFrom)
    }
  }
}
