#if Fleet
  import FleetMessages

  /// The end of a link that its owner holds.
  final class MosquittoLink: BrokerLink {
    let events: AsyncStream<BrokerEvent>
    private let mailbox: LinkMailbox

    init(_ mailbox: LinkMailbox) {
      self.mailbox = mailbox
      let queue = mailbox.events
      events = AsyncStream { await queue.next() }
    }

    func send(_ command: BrokerCommand) -> Bool { mailbox.add(command) }

    func close() async { await withCheckedContinuation { mailbox.close($0) } }

    deinit { mailbox.close(nil) }
  }
#endif
