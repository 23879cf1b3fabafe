import CastProtocol
import Dispatch
import Glibc
import ToolServers
import Workspace

/// Messages on standard input and output.
enum MessageStream {
  /// What standard input brings.
  enum Incoming: Sendable {
    case message([UInt8])
    case end
    /// It cannot be read on.
    case broken(FrameProblem)
  }

  /// Takes the stream apart.
  enum Framing: Sendable {
    case headers(HeaderFrames)
    case lines(LineFrames)

    mutating func push(_ bytes: ArraySlice<UInt8>) {
      switch self {
      case .headers(var frames):
        self = .lines(LineFrames())
        frames.push(bytes)
        self = .headers(frames)
      case .lines(var frames):
        self = .headers(HeaderFrames())
        frames.push(bytes)
        self = .lines(frames)
      }
    }

    mutating func next() throws(FrameProblem) -> [UInt8]? {
      switch self {
      case .headers(var frames):
        self = .lines(LineFrames())
        defer { self = .headers(frames) }
        return try frames.next()
      case .lines(var frames):
        self = .headers(HeaderFrames())
        defer { self = .lines(frames) }
        return try frames.next()
      }
    }

    func end() throws(FrameProblem) {
      switch self {
      case .headers(let frames): try frames.end()
      case .lines(let frames): try frames.end()
      }
    }
  }

  /// Reads standard input by a thread of its own, until it ends; that thread waits while nobody takes what it brings.
  static func read(_ framing: Framing, _ body: @escaping @Sendable (Incoming) -> Void) {
    DispatchQueue(label: "showcaller.input").async {
      var framing = framing
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      do throws(FrameProblem) {
        while let count = try? Descriptor.read(STDIN_FILENO, into: &chunk), count > 0 {
          framing.push(chunk[..<count])
          while let message = try framing.next() { body(.message(message)) }
        }
        try framing.end()
        body(.end)
      } catch {
        body(.broken(error))
      }
    }
  }
}

/// Writes messages by a thread of its own. A client that does not read them is one that is gone.
struct MessageWriter: Sendable {
  /// What may wait for a client, in bytes.
  private static let limit = 64 << 20

  private let queue = TextQueue(byteLimit: limit) { text throws(FileError) in
    if let failure = StandardStream.output.writeNow(text) { throw failure }
  }
  private let frame: @Sendable (String) -> String

  /// - Parameter frame: Puts around a message what the protocol wants.
  init(_ frame: @escaping @Sendable (String) -> String) { self.frame = frame }

  /// - Throws: Where the client is gone, or does not read.
  func send(_ message: JSONValue) throws(CommandFailure) {
    guard queue.failure == nil, queue.offer(frame(message.serialized())) else {
      throw CommandFailure(
        .failed, "the client does not read what it is answered",
        help: queue.failure.map { "standard output cannot be written: \($0.message)" })
    }
  }

  /// Waits for what is not written yet.
  func settle() { _ = queue.drain(until: LastWait.deadline) }
}

extension CommandFailure {
  init(_ problem: FrameProblem) { self.init(.commandLineWrong, problem.message, help: problem.help) }
}
