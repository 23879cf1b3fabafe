import CastProtocol

/// Why a method and a path lead nowhere.
package enum RouteMiss: Error, Hashable, Sendable {
  case nothing
  /// What the path allows.
  case method(String)

  /// The answer to one who asks for it.
  package var answer: ServedAnswer {
    switch self {
    case .nothing: return .json(404, ["error": "there is nothing of this name"])
    case .method(let allowed):
      var answer = ServedAnswer.json(405, ["error": .string("this takes \(allowed)")])
      answer.headers.append(("Allow", allowed))
      return answer
    }
  }
}
