import CDNSSD
import Glibc

/// One connection to the daemon, for any number of services. Not Sendable: made, used and let go of on one thread.
final class AvahiClient {
  private let library: AvahiLibrary
  private let poll: OpaquePointer
  private var client: OpaquePointer?
  private var wake: OpaquePointer?
  /// Whether services can be given to the daemon.
  private(set) var isRunning = false
  /// What broke the connection.
  private(set) var failure: TransportError?

  /// Connects to the daemon; blocks for as long as it takes to answer.
  /// - Parameter wakeEnd: ``wait(until:)`` ends when it can be read.
  init(wakeEnd: Int32) throws(TransportError) {
    library = try AvahiLibrary.shared()
    guard let poll = library.newPoll() else { throw TransportError(.setupFailed, "cannot advertise: out of memory") }
    self.poll = poll
    guard let api = library.getPoll(poll) else { throw TransportError(.setupFailed, "cannot advertise: no poll") }
    wake = api.pointee.watch_new(api, wakeEnd, AVAHI_WATCH_IN, { _, _, _, _ in }, nil)
    var error: Int32 = 0
    // Unretained: `deinit` ends the replies. The first reply comes before this call returns.
    client = library.newClient(
      api, AvahiClientFlags(rawValue: 0),
      { client, state, context in
        guard let context else { return }
        Unmanaged<AvahiClient>.fromOpaque(context).takeUnretainedValue().changed(to: state, client)
      }, Unmanaged.passUnretained(self).toOpaque(), &error)
    guard client != nil else { throw .advertising(error) }
  }

  deinit {
    // It ends the groups with it, and the daemon says goodbye for them.
    if let client { library.freeClient(client) }
    if let wake, let api = library.getPoll(poll) { api.pointee.watch_free(wake) }
    library.freePoll(poll)
  }

  private func changed(to state: AvahiClientState, _ client: OpaquePointer?) {
    switch state {
    case AVAHI_CLIENT_S_RUNNING: isRunning = true
    case AVAHI_CLIENT_FAILURE:
      isRunning = false
      failure = .advertising(client.map { library.lastError($0) } ?? Int32(AVAHI_ERR_NO_DAEMON))
    // The host name is changing, or the daemon is reconnecting: it recovers by itself.
    default: isRunning = false
    }
  }

  /// Delivers what comes, until something has come or it is woken.
  func wait() {
    if library.iterate(poll, -1) < 0, failure == nil { failure = .noDaemon }
  }

  /// Gives a service to the daemon.
  func publish(
    name: String, port: Int, txt: [UInt8], _ changed: @escaping (AvahiService.State) -> Void
  ) throws(TransportError) -> AvahiService {
    guard let client else { throw .noDaemon }
    let service = try AvahiService(library, self, client, name: name, changed)
    try service.add(port: port, txt: txt)
    return service
  }
}

/// One service that the daemon tells the network of, until it goes. Belongs to the thread of its client.
final class AvahiService {
  enum State: Hashable {
    /// The network knows it by its name.
    case established
    /// Another computer has that name.
    case collided
    case failed(TransportError)
  }

  let name: String
  private let library: AvahiLibrary
  /// It may not go before its services.
  private let owner: AvahiClient
  private let client: OpaquePointer
  private let changed: (State) -> Void
  private var group: OpaquePointer?

  fileprivate init(
    _ library: AvahiLibrary, _ owner: AvahiClient, _ client: OpaquePointer, name: String,
    _ changed: @escaping (State) -> Void
  ) throws(TransportError) {
    self.library = library
    self.owner = owner
    self.client = client
    self.name = name
    self.changed = changed
    group = library.newGroup(
      client,
      { _, state, context in
        guard let context else { return }
        Unmanaged<AvahiService>.fromOpaque(context).takeUnretainedValue().groupChanged(to: state)
      }, Unmanaged.passUnretained(self).toOpaque())
    if group == nil { throw .advertising(library.lastError(client)) }
  }

  deinit { if let group { _ = library.freeGroup(group) } }

  private func groupChanged(to state: AvahiEntryGroupState) {
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED: changed(.established)
    case AVAHI_ENTRY_GROUP_COLLISION: changed(.collided)
    case AVAHI_ENTRY_GROUP_FAILURE: changed(.failed(.advertising(library.lastError(client))))
    default: break
    }
  }

  fileprivate func add(port: Int, txt: [UInt8]) throws(TransportError) {
    try withStrings(txt) { strings in
      let status = library.addService(
        group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(rawValue: 0), name,
        ServiceReference.serviceType, nil, nil, UInt16(clamping: port), strings)
      return status < 0 ? status : library.commit(group)
    }
  }

  /// Changes what it says of itself; the network is told at once.
  func update(txt: [UInt8]) throws(TransportError) {
    try withStrings(txt) { strings in
      library.updateText(
        group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(rawValue: 0), name,
        ServiceReference.serviceType, nil, strings)
    }
  }

  private func withStrings(
    _ txt: [UInt8], _ body: (UnsafeMutablePointer<AvahiStringList>?) -> Int32
  ) throws(TransportError) {
    var strings: UnsafeMutablePointer<AvahiStringList>?
    var status = txt.withUnsafeBytes { library.parseStrings($0.baseAddress, $0.count, &strings) }
    defer { library.freeStrings(strings) }
    if status >= 0 { status = body(strings) }
    if status < 0 { throw .advertising(status) }
  }

  /// A name that another computer may not have: `Lab TV #2`.
  static func alternative(to name: String) -> String? {
    guard let library = try? AvahiLibrary.shared(), let text = library.alternativeName(name) else { return nil }
    defer { library.free(text) }
    return String(validatingCString: text)
  }
}
