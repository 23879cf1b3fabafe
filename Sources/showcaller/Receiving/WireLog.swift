import CastProtocol
import CastReceiver
import Dispatch
import Logging
import DeviceControl
import ReceiverPages
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Synchronization
import Workspace

/// What senders and receivers say to each other, for `receive --wire` and `receive --log`.
struct WireLog: Sendable {
  /// What log lines are labelled with.
  static let component = "receiver"

  /// What may wait for a slow reader, in bytes.
  private static let byteLimit = 2 << 20
  /// How long the last lines may take at the end.
  private static let patience = DispatchTimeInterval.seconds(1)

  /// Counts messages for which there was no room since the last that was printed.
  private final class Dropped: Sendable {
    private let count = Mutex(0)

    func add() { count.withLock { $0 += 1 } }

    func take() -> Int {
      count.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  private let queue: TextQueue
  private let dropped = Dropped()
  private let printsMessages: Bool
  private let logger = Logger(label: component)

  init(printsMessages: Bool) {
    self.printsMessages = printsMessages
    queue = TextQueue(byteLimit: Self.byteLimit) { [dropped] text throws(FileError) in
      if let failure = StandardStream.output.writeNow(text) { throw failure }
      let count = dropped.take()
      if count > 0 { Terminal.say("note: \(count) messages are not shown; they came faster than they were read") }
    }
    // Receivers tell from their event loops, which nobody may hold up.
    StandardError.queue()
  }

  /// What is told of the receiver `name`; `nil` where nobody wants to know.
  func tap(for name: String) -> (@Sendable (ReceiverWireEvent) -> Void)? {
    guard printsMessages || logger.logLevel <= .debug else { return nil }
    return { event in
      if printsMessages { show(Self.json(event, of: name, at: Surroundings.process.unixTime())) }
      log(event, of: name)
    }
  }

  /// Tells what a receiver page says to its developer: a line of JSON with --wire, else warnings and errors as lines.
  func tell(_ news: PageNews, of name: String) {
    if printsMessages {
      var json: JSONObject = [
        "type": "page", "at": .string(UTCTime(unixSeconds: Surroundings.process.unixTime()).timeOfDay),
        "receiver": .string(name), "kind": .string(news.kind.rawValue), "level": .string(news.level.rawValue),
        "text": .string(news.text),
      ]
      if let address = news.address { json["url"] = .string(address) }
      if let line = news.line { json["line"] = .int(line) }
      show(.object(json))
    }
    let place = news.address.map { address in " (\(address)\(news.line.map { ":\($0)" } ?? ""))" } ?? ""
    let line = "\(name): page \(news.level.rawValue) \(news.kind.rawValue): \(news.text)\(place)"
    switch news.level {
    case .error, .warning: Terminal.say(TerminalText.escaped(line))
    case .info: logger.debug("\(line)")
    case .debug: logger.trace("\(line)")
    }
  }

  /// Tells why the receiver `name` could not play what it was to play.
  func tell(_ problem: String, of name: String) { Terminal.say(TerminalText.escaped("\(name): \(problem)")) }

  /// Tells what goes wrong as the library says: a line of JSON with --wire, else a line the first times.
  func tell(_ fault: EventKind.FaultNote) {
    if printsMessages {
      var json: JSONObject = [
        "type": "fault", "at": .string(UTCTime(unixSeconds: Surroundings.process.unixTime()).timeOfDay),
      ]
      json.members += fault.fields.members
      return show(.object(json))
    }
    if fault.isNews { Terminal.say(TerminalText.escaped("\(fault.receiver): fault \(fault.oneLine)")) }
  }

  private func show(_ line: JSONValue) {
    if !queue.offer(line.serialized() + "\n") { dropped.add() }
  }

  /// Waits for what was printed, though not for a reader who has stopped.
  func finish() { _ = queue.drain(until: .now() + Self.patience) }

  private func log(_ event: ReceiverWireEvent, of name: String) {
    switch event {
    case .opened(let id): logger.debug("\(name): connection \(id.rawValue) is open")
    case .closed(let id): logger.debug("\(name): connection \(id.rawValue) is closed")
    case .received(let message, let id):
      logger.trace("\(name): received on \(id.rawValue) \(Self.members(message).serialized())")
    case .sent(let message, let id):
      logger.trace("\(name): sent on \(id.rawValue) \(Self.members(message).serialized())")
    }
  }

  private static func json(_ event: ReceiverWireEvent, of name: String, at time: Double) -> JSONValue {
    func line(_ kind: String, _ id: ConnectionID, _ message: CastMessage? = nil) -> JSONValue {
      var json: JSONObject = [
        "type": .string(kind), "at": .string(UTCTime(unixSeconds: time).timeOfDay), "receiver": .string(name),
        "connection": .int(id.rawValue),
      ]
      if let message { json.members += members(message).object?.members ?? [] }
      return .object(json)
    }
    switch event {
    case .opened(let id): return line("opened", id)
    case .closed(let id): return line("closed", id)
    case .received(let message, let id): return line("received", id, message)
    case .sent(let message, let id): return line("sent", id, message)
    }
  }

  private static func members(_ message: CastMessage) -> JSONValue {
    var json: JSONObject = [
      "ns": .string(message.namespace.rawValue), "from": .string(message.source.rawValue),
      "to": .string(message.destination.rawValue),
    ]
    switch message.payload {
    case .text(let text): json["msg"] = (try? JSONValue(parsing: text)) ?? .string(text)
    case .binary(let bytes): json["bytes"] = .int(bytes.count)
    }
    return .object(json)
  }
}
