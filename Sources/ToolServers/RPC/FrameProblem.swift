/// Why a stream of messages cannot be read on: nobody knows where the next message begins.
package enum FrameProblem: Error, Hashable, Sendable {
  case headerTooLong(limit: Int)
  case noLength
  /// What stands behind `Content-Length:`.
  case badLength(String)
  case badHeader(String)
  case charset(String)
  case tooLarge(limit: Int)
  /// The stream ends within a message.
  case cutOff

  /// A lowercase fragment.
  package var message: String {
    switch self {
    case .headerTooLong(let limit): "the header of a message is longer than \(limit) bytes"
    case .noLength: "a message has no `Content-Length`"
    case .badLength(let text): "`Content-Length: \(text)` is no number of bytes"
    case .badHeader(let text): "`\(text)` is no line of a message's header"
    case .charset(let text): "messages are UTF-8, not `\(text)`"
    case .tooLarge(let limit): "a message is larger than \(limit >> 20) MiB"
    case .cutOff: "standard input ends within a message"
    }
  }

  package var help: String {
    switch self {
    case .headerTooLong, .noLength, .badLength, .badHeader, .charset:
      "each message begins with `Content-Length: 123`, an empty line, and so many bytes of JSON; lines end with CR LF"
    case .tooLarge: "send smaller messages: a document has 1 MiB at most"
    case .cutOff: "its client went away, or counted wrong"
    }
  }
}
