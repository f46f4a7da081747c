import FileStores

/// A form with files, read from a request's body as a stream. Read by one task at a time.
actor MultipartBody {
  private static let (mostBytes, mostFields) = (Route.formBytes, 64)
  private static let fieldPiece = 16 << 10
  private let body: RequestBytes
  private var machine: MultipartMachine
  private var isAtEndOfPart = true
  private var isFile = false
  private(set) var fileName: String?

  /// - Parameter type: the header `Content-Type`.
  /// - Throws: `MultipartMachine.Fault` if it names no boundary.
  init(_ type: String, _ body: RequestBytes, mostParts: Int = mostFields + 1) throws(MultipartMachine.Fault) {
    machine = try MultipartMachine(type, mostParts: mostParts)
    self.body = body
  }

  /// The header of the next part, whose content `next` returns; nil at the end of the form.
  /// - Throws: `MultipartMachine.Fault`; errors of the body, `offline` if it ends too early.
  func part() async throws -> MultipartMachine.Head? {
    while try await next() != nil {}
    while true {
      switch try machine.next() {
      case .part(let head):
        (isAtEndOfPart, isFile) = (false, head.file != nil)
        return head
      case .end: return nil
      case .bytes, .endOfPart: continue
      case nil: try await fill()
      }
    }
  }

  /// nil at the end of the current part.
  /// - Throws: errors of the body, `offline` if it ends within the part.
  func next() async throws(StoreError) -> ByteChunk? {
    while !isAtEndOfPart {
      let event: MultipartMachine.Event?
      do throws(MultipartMachine.Fault) { event = try machine.next() } catch {
        throw StoreError(.badInput, error.sentence)
      }
      switch event {
      case .bytes(let chunk): return chunk
      case .endOfPart, .part, .end: isAtEndOfPart = true
      case nil: try await fill()
      }
    }
    return nil
  }

  private func fill() async throws(StoreError) {
    let chunk = isFile ? try await body.next() : try await body.next(about: MultipartBody.fieldPiece)
    guard let chunk else { throw StoreError(.offline, "The form ended before its file did.") }
    machine.add(chunk)
  }
}

/// Version 1 of the API: small fields, then one file.
extension MultipartBody {
  private static let tooLarge = V1Failure(413, "The form has too much before its file.")

  /// Reads up to the file's content. Returns the fields before it, with the file's name as `file`.
  func open() async throws -> [String: String] {
    var fields: [String: String] = [:]
    var budget = MultipartBody.mostBytes
    do {
      while let head = try await part() {
        if let file = head.file {
          fileName = file
          fields["file"] = file
          return fields
        }
        var value: [UInt8] = []
        while let chunk = try await next() {
          value += chunk
          budget -= chunk.count
          guard budget >= 0 else { throw MultipartBody.tooLarge }
        }
        if let name = head.name { fields[name] = String(decoding: value, as: UTF8.self) }
      }
    } catch MultipartMachine.Fault.tooManyParts {
      throw MultipartBody.tooLarge
    } catch let fault as MultipartMachine.Fault {
      throw V1Failure.malformed(fault.sentence)
    }
    throw V1Failure.malformed("The form has no file.")
  }

  func finish() async throws(StoreError) {
    while try await body.next() != nil {}
  }
}
