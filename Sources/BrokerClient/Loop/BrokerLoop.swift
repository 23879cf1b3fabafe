#if Fleet
  import CMosquitto
  import FleetMessages
  import Glibc
  import Synchronization

  /// The one thread of all links of this process: it waits for all their sockets at once. Started with the first link;
  /// it stays.
  final class BrokerLoop: Sendable {
    private struct Inbox {
      var links: [LinkMailbox] = []
      /// Links that have something new to be looked at.
      var told: [Int] = []
      var lookedUp: [(host: String, answer: HostLookups.Answer)] = []
      var lastID = 0
      var isAwake = false
    }

    private let inbox = Mutex(Inbox())
    private let bell: Int32

    private static let started = Result { () throws(BrokerFailure) in try BrokerLoop(MosquittoLibrary.shared()) }

    /// - Throws: Where the library is not installed, or the system gives no thread.
    static func shared() throws(BrokerFailure) -> BrokerLoop { try started.get() }

    private init(_ library: MosquittoLibrary) throws(BrokerFailure) {
      bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
      guard bell >= 0, LoopThread.start({ [self] in run(library) }) else {
        throw BrokerFailure(.unavailable, "the thread of the MQTT client cannot be started")
      }
    }

    /// Begins to connect.
    func open(_ configuration: BrokerConfiguration) -> MosquittoLink {
      let mailbox = inbox.withLock { inbox in
        inbox.lastID += 1
        let mailbox = LinkMailbox(id: inbox.lastID, configuration: configuration) { [self] in tell($0) }
        inbox.links.append(mailbox)
        return mailbox
      }
      ring()
      return MosquittoLink(mailbox)
    }

    private func tell(_ id: Int) {
      inbox.withLock { $0.told.append(id) }
      ring()
    }

    private func ring() {
      let rings = inbox.withLock { inbox in
        defer { inbox.isAwake = true }
        return !inbox.isAwake
      }
      guard rings else { return }
      var one: UInt64 = 1
      _ = write(bell, &one, 8)
    }

    // The rest is of the loop's thread.

    private func run(_ library: MosquittoLibrary) {
      var connections: [Connection] = []
      var polls = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
      var lookups = HostLookups { [self] host, answer in
        inbox.withLock { $0.lookedUp.append((host, answer)) }
        ring()
      }
      while true {
        _ = poll(&polls, nfds_t(polls.count), timeout(connections))
        let now = LoopThread.now
        let news = hear(polls[0].revents)
        for mailbox in news.links {
          connections.append(Connection(mailbox, library: library))
          polls.append(pollfd(fd: -1, events: 0, revents: 0))
        }
        for (host, answer) in news.lookedUp {
          lookups.ended(host)
          for (place, connection) in connections.enumerated() where connection.address.host == host {
            guard case .lookingUp = connection.phase else { continue }
            connection.found(answer)
            polls[place + 1] = connection.wanted
          }
        }
        let told = Set(news.told)
        for (place, connection) in connections.enumerated() {
          let happened = polls[place + 1].revents
          let isDue = connection.wakeAt.map { $0 <= now } ?? false
          guard happened != 0 || isDue || told.contains(connection.mailbox.id) else { continue }
          connection.serve(happened, at: now, lookups: &lookups)
          polls[place + 1] = connection.wanted
        }
        if connections.contains(where: { $0.phase == .over }) {
          connections.removeAll { $0.phase == .over }
          polls = [polls[0]] + connections.map(\.wanted)
        }
      }
    }

    private func hear(_ happened: Int16) -> (
      links: [LinkMailbox], told: [Int], lookedUp: [(host: String, answer: HostLookups.Answer)]
    ) {
      guard happened != 0 else { return ([], [], []) }
      var count: UInt64 = 0
      _ = read(bell, &count, 8)
      return inbox.withLock { inbox in
        defer { (inbox.links, inbox.told, inbox.lookedUp, inbox.isAwake) = ([], [], [], false) }
        return (inbox.links, inbox.told, inbox.lookedUp)
      }
    }

    /// In milliseconds, rounded up, or the last one would be spent spinning.
    private func timeout(_ connections: [Connection]) -> Int32 {
      guard let first = connections.lazy.compactMap(\.wakeAt).min() else { return -1 }
      let left = max(.zero, min(.seconds(3600), first - LoopThread.now))
      if left == .zero { return 0 }
      return Int32(clamping: left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
    }
  }
#endif
