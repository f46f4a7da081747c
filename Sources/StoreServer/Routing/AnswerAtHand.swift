import HTTPTypes
import Hummingbird
import Logging

/// An answer that is there at once, with all of its bytes.
struct AnswerAtHand {
  let status: HTTPResponse.Status
  var headers: HTTPFields
  let bytes: [UInt8]
}

extension ClubResponder {
  /// The answer to a request without a body, when its caller is known and all that it needs is in memory; nil when it must
  /// go the usual way, where it may be refused. Does not block. It is logged as others are.
  func answerAtHand(_ head: HTTPRequest, peer: String, logger: Logger) -> AnswerAtHand? {
    guard let path = head.path, !path.utf8.contains(UInt8(ascii: "?")), let route = table[path],
      let atHand = route.atHand, let caller = club.accessAtHand(route, head), var answer = atHand(club, head)
    else { return nil }
    club.activity.note()
    let id = RequestID().description
    ClubResponder.finish(&answer.headers, of: route, to: head, requestID: id)
    CallContext.log(
      logger, metadata: ["hb.request.id": .string(id)], peer: peer, head.method, route.path, answer.status,
      caller: caller, milliseconds: 0)
    return answer
  }
}
