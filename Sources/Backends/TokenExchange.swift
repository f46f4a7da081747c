internal import FileStores

/// Sends a request with a token, and up to twice more with another one when it was not accepted.
struct TokenExchange: Sendable {
  /// Carries the requests.
  let transport: any HTTPTransport
  /// No answer that is not handed out is longer, in bytes.
  let longestAnswer: Int

  /// Sends what `request` makes. That is told which token was refused last, nil at first, and says which one it has put
  /// into the request, nil for none; `isAboutToken` says of the body of a 401 whether another may help.
  ///
  /// The body of a success goes to `receive` when `handingOut`, and what that throws is thrown on as it is. Any other
  /// body is returned, with the head. `sent` hears how many bytes of the request's body the server can have; a request
  /// that is sent again begins anew.
  /// - Throws: `cancelled` before each try; `tooLong` for a body that is longer than any answer; what `request` and the
  ///   transport throw, about `path`.
  func send(
    about path: StorePath, handingOut: Bool, sent: (@Sendable (UInt64) -> Void)? = nil,
    isAboutToken: ([UInt8]) -> Bool = { _ in true },
    tooLong: (_ limit: String) -> StoreError,
    _ request: (_ refused: String?) async throws(StoreError) -> (HTTPRequest, token: String?),
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> (HTTPResponse, [UInt8]) {
    var refused: String?
    var refusals = 0
    while true {
      if Task.isCancelled { throw .cancelled("The work on \"\(path)\"", path: path) }
      var body: [UInt8] = []
      var token: String?
      var receiverFailed = false
      let response: HTTPResponse
      do throws(StoreError) {
        let signed = try await request(refused)
        token = signed.token
        response = try await transport.exchange(signed.0, sent: sent) { (response, chunk) throws(StoreError) in
          if response.isSuccess, handingOut {
            do throws(StoreError) {
              try await receive(response, chunk)
            } catch {
              receiverFailed = true
              throw error
            }
          } else if body.count + chunk.count <= longestAnswer {
            body.append(contentsOf: chunk)
          } else {
            throw tooLong("more than \(longestAnswer >> 20) MiB")
          }
        }
      } catch {
        throw receiverFailed ? error : error.about(path)
      }
      if response.status == 401, let token, refusals < 2, isAboutToken(body) {
        // A token may be renewed in the very moment in which the member is removed: who renews says then what is wrong.
        refused = token
        refusals += 1
        continue
      }
      return (response, body)
    }
  }
}
