import FileStores

/// Why the program ends with 1, in whole sentences.
struct Failure: Error {
  let text: String

  init(_ text: String) { self.text = text }
  init(_ error: StoreError) { text = error.description }
}
