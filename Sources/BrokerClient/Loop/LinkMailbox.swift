#if Fleet
  import FleetMessages
  import Synchronization

  /// What the owner of a link and the loop's thread leave for each other.
  final class LinkMailbox: Sendable {
    /// The most commands that wait, and the most bytes.
    static let commandLimit = 1_000
    static let byteLimit = 16 << 20

    private struct State {
      var isConnected = false
      /// Of a packet, in bytes: what this side and the broker take.
      var packetLimit = 0
      var commands: [BrokerCommand] = []
      var bytes = 0
      /// The loop's thread has been told to look.
      var isTold = false
      var isClosing = false
      var isOver = false
      var closers: [CheckedContinuation<Void, Never>] = []
    }

    let id: Int
    let configuration: BrokerConfiguration
    let events: EventQueue
    private let state = Mutex(State())
    private let tell: @Sendable (Int) -> Void

    /// - Parameter tell: Has the loop's thread look at the link of this number.
    init(id: Int, configuration: BrokerConfiguration, tell: @escaping @Sendable (Int) -> Void) {
      self.id = id
      self.configuration = configuration
      self.tell = tell
      events = EventQueue { tell(id) }
    }

    func add(_ command: BrokerCommand) -> Bool {
      let (isTaken, tells) = state.withLock { state -> (Bool, Bool) in
        guard state.isConnected, !state.isClosing, state.commands.count < Self.commandLimit,
          command.isSound(packetLimit: state.packetLimit), state.bytes + command.size <= Self.byteLimit
        else { return (false, false) }
        state.commands.append(command)
        state.bytes += command.size
        defer { state.isTold = true }
        return (true, !state.isTold)
      }
      if tells { tell(id) }
      return isTaken
    }

    /// Asks the link to end.
    /// - Parameter continuation: Resumed when it has; `nil`: nobody waits.
    func close(_ continuation: CheckedContinuation<Void, Never>?) {
      let isOver = state.withLock { state in
        state.isClosing = true
        if let continuation, !state.isOver { state.closers.append(continuation) }
        return state.isOver
      }
      if isOver { continuation?.resume() } else { tell(id) }
    }

    // Of the loop's thread:

    var isClosing: Bool { state.withLock { $0.isClosing } }

    func connected(packetLimit: Int) {
      state.withLock { state in
        state.isConnected = true
        state.packetLimit = packetLimit
      }
    }

    func disconnected() {
      state.withLock { state in
        state.isConnected = false
        state.commands = []
        state.bytes = 0
      }
    }

    /// Takes the oldest commands, `limit` at most.
    func take(_ limit: Int) -> [BrokerCommand] {
      state.withLock { state in
        state.isTold = false
        let taken = Array(state.commands.prefix(max(0, limit)))
        if taken.count == state.commands.count {
          state.commands.removeAll(keepingCapacity: taken.count > 8)
        } else {
          state.commands.removeFirst(taken.count)
        }
        state.bytes -= taken.reduce(0) { $0 + $1.size }
        return taken
      }
    }

    var hasCommands: Bool { state.withLock { !$0.commands.isEmpty } }

    func finish() {
      events.finish()
      let closers = state.withLock { state in
        state.isOver = true
        defer { state.closers = [] }
        return state.closers
      }
      for closer in closers { closer.resume() }
    }
  }

  extension BrokerCommand {
    /// In bytes, of what it holds; at least what its packet takes.
    fileprivate var size: Int {
      switch self {
      case .publish(let message, _): message.size + 32
      case .subscribe(let filter, _), .unsubscribe(let filter): filter.utf8.count + 32
      case .reconnect: 0
      }
    }

    /// Whether it can be sent as it is. A zero byte would end the topic early for a library in C.
    fileprivate func isSound(packetLimit: Int) -> Bool {
      let topic: String
      switch self {
      case .publish(let message, _):
        topic = message.topic
        if topic.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) { return false }
      case .subscribe(let filter, _), .unsubscribe(let filter): topic = filter
      case .reconnect: return true
      }
      return !topic.isEmpty && topic.utf8.count <= 65_535 && !topic.utf8.contains(0) && size <= packetLimit
    }
  }
#endif
