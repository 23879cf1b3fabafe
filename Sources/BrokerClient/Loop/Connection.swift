#if Fleet
  import CMosquitto
  import COpenSSL
  import FleetMessages
  import Glibc

  /// One link as the loop's thread sees it: it connects, sends what waits, reads while there is room, and begins again.
  /// Belongs to that thread; only it touches what the library has made.
  final class Connection {
    enum Phase: Equatable {
      case waiting(until: Duration)
      case lookingUp(until: Duration)
      case connecting(until: Duration)
      /// TLS.
      case shaking
      /// The broker has not answered to the greeting.
      case greeting
      case connected
      case closing(until: Duration)
      case over
    }

    /// From the beginning to the broker's answer.
    static let connectLimit = Duration.seconds(10)
    /// An answer is asked for when nothing was sent, or came, for so long (MQTT 5.0, 3.1.2.10).
    static let keepAlive = 30
    /// After a broker did what nobody should.
    static let hostileWait = Duration.seconds(60)
    /// How long what waits may take to be sent before the goodbye.
    static let closeLimit = Duration.milliseconds(900)
    /// Messages of quality 1 that the broker has not acknowledged.
    static let window = 64

    let mailbox: LinkMailbox
    let library: MosquittoLibrary
    var phase = Phase.waiting(until: .zero)
    var handle: OpaquePointer?
    var tls: OpaquePointer?
    /// What the library's TLS reads from; goes with it.
    var input: OpaquePointer?
    /// Received, and not yet a whole record of TLS.
    var received: [UInt8] = []
    var packets = PacketGuard(limit: 0)
    var rate = MessageRate(limit: 1, at: .zero)
    var unacknowledged: [Int32: Int?] = [:]
    /// Of the one call into the library that is running, or ran last.
    var now = Duration.zero
    /// Why the connection ends, as a call into the library has found out.
    var failure: BrokerFailure?
    /// OpenSSL's words, as the library writes them to its log.
    var loggedReason: String?
    /// The wait that somebody asked for.
    var wantedWait: Duration?

    private var settings: BrokerTLS?
    private var pace = ReconnectPace()
    private var deadline = Duration.zero
    private var keptAliveAt = Duration.zero
    private var addresses: [String] = []
    private var tried = 0
    private var told: BrokerFailure?
    /// The other side hung up while nobody reads: that is found out when there is room.
    private var hangsUnread = false

    init(_ mailbox: LinkMailbox, library: MosquittoLibrary) {
      self.mailbox = mailbox
      self.library = library
    }

    var configuration: BrokerConfiguration { mailbox.configuration }
    var address: BrokerAddress { configuration.address }

    var isClosing: Bool { if case .closing = phase { true } else { false } }
    var isPaused: Bool { !isClosing && mailbox.events.isFull }

    /// What the loop waits for on behalf of this link.
    var wanted: pollfd {
      let none = pollfd(fd: -1, events: 0, revents: 0)
      guard let handle else { return none }
      let socket = library.socket(handle)
      switch phase {
      case .waiting, .lookingUp, .over: return none
      case .connecting: return pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
      // What this side sends in a handshake fits into any socket's buffer.
      case .shaking: return pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      case .greeting, .connected, .closing:
        if hangsUnread { return none }
        let events = (isPaused ? 0 : POLLIN) | (library.wantsToWrite(handle) ? POLLOUT : 0)
        return pollfd(fd: socket, events: Int16(events), revents: 0)
      }
    }

    /// When the loop has to look at it even where nothing happens.
    var wakeAt: Duration? {
      switch phase {
      case .waiting(let until): mailbox.events.isFull ? nil : until
      case .lookingUp(let until), .connecting(let until), .closing(let until): until
      case .shaking, .greeting: deadline
      case .connected: keptAliveAt
      case .over: nil
      }
    }

    /// - Parameter happened: What the loop has found on the socket.
    func serve(_ happened: Int16, at time: Duration, lookups: inout HostLookups) {
      now = time
      if mailbox.isClosing, !isClosing, phase != .over { beginClosing() }
      switch phase {
      case .waiting(let until): if until <= now, !mailbox.events.isFull { begin(&lookups) }
      case .lookingUp(let until):
        if until <= now { end(.noAddress(address, "no name server answers")) }
      case .connecting(let until):
        if happened != 0 { finishConnecting() } else if until <= now { endConnecting("no answer") }
      case .shaking, .greeting:
        exchange(happened)
        if deadline <= now, phase == .shaking || phase == .greeting { end(.noConnection(address, "no answer in 10 s")) }
      case .connected:
        exchange(happened)
        keepAlive()
      case .closing(let until):
        exchange(happened)
        closeFurther(isLast: until <= now)
      case .over: break
      }
    }

    // MARK: Connecting

    private func begin(_ lookups: inout HostLookups) {
      deadline = now + Self.connectLimit
      if let literal = HostLookups.literal(address.host) {
        found(.addresses(literal))
      } else {
        phase = .lookingUp(until: deadline)
        lookups.begin(address.host)
      }
    }

    /// The name has been looked up.
    func found(_ answer: HostLookups.Answer) {
      now = LoopThread.now
      switch answer {
      case .none(let reason): end(.noAddress(address, reason))
      case .addresses(let list):
        addresses = list
        tried = 0
        connect()
      }
    }

    private func connect() {
      let host = addresses[tried]
      tried += 1
      do throws(BrokerFailure) {
        try make()
      } catch {
        return end(error)
      }
      guard let handle else { return }
      let name = HostLookups.literal(address.host) == nil ? address.host : nil
      var status: Int32 = 0
      var reason: Int32 = 0
      let begun = TLSBeginning.during(name) {
        status = library.connect(handle, host, Int32(address.port), Int32(Self.keepAlive))
        reason = errno
      }
      let socket = library.socket(handle)
      guard status <= 0, socket >= 0, let begun else {
        return endConnecting(
          status == 14 ? String(cString: strerror(reason)).lowercased() : "the library gives up (\(status))")
      }
      // Programs that this one starts have no business with it.
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      (tls, input) = begun
      // So that one address that does not answer leaves time for another.
      let share = addresses.count > tried ? max(.seconds(2), Self.connectLimit / addresses.count) : deadline - now
      phase = .connecting(until: min(deadline, now + share))
    }

    private func make() throws(BrokerFailure) {
      let settings = try BrokerTLS.current(for: configuration)
      self.settings = settings
      handle = library.new(configuration.clientID, true, Unmanaged.passUnretained(self).toOpaque())
      guard let handle else { throw .noConnection(address, "no memory") }
      _ = library.setNumber(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
      _ = library.setNumber(handle, MOSQ_OPT_TCP_NODELAY, 1)
      _ = library.setNumber(handle, MOSQ_OPT_SEND_MAXIMUM, Int32(Self.window))
      _ = library.setNumber(handle, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0)
      _ = library.setPointer(handle, MOSQ_OPT_SSL_CTX, UnsafeMutableRawPointer(settings.raw))
      if address.user != nil || configuration.password != nil {
        _ = library.setUser(handle, address.user, configuration.password)
      }
      if let will = configuration.will {
        let count = Int32(clamping: will.payload.count)
        let quality = Int32(will.quality.rawValue)
        guard library.setWill(handle, will.topic, count, will.payload, quality, will.isRetained, nil) == 0 else {
          throw .noConnection(address, "the last will cannot be sent")
        }
      }
      // Only the call that blocks takes properties. Without a host it keeps them and does nothing else; should it not,
      // the broker learns later what is too large.
      var properties: OpaquePointer?
      let limit = UInt32(clamping: configuration.messageLimit)
      _ = library.addNumber(&properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), limit)
      _ = library.connectBind(handle, nil, Int32(address.port), Int32(Self.keepAlive), nil, properties)
      library.freeProperties(&properties)
      setCallbacks(handle)
      received = []
      packets = PacketGuard(limit: configuration.messageLimit)
      rate = MessageRate(limit: configuration.rateLimit, at: now)
      (failure, loggedReason, wantedWait, hangsUnread) = (nil, nil, nil, false)
    }

    private func finishConnecting() {
      guard let handle, let tls else { return }
      let socket = library.socket(handle)
      var code: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &length)
      guard code == 0 else { return endConnecting(String(cString: strerror(code)).lowercased()) }
      // The library has tried to write, and was told already why that does not work.
      var peer = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let isConnected = withUnsafeMutableBytes(of: &peer) { bytes in
        bytes.baseAddress.map { getpeername(socket, $0.assumingMemoryBound(to: sockaddr.self), &size) == 0 } ?? false
      }
      guard isConnected else { return endConnecting("connection refused") }
      phase = .shaking
      if library.read(handle, 1) != 0 { end(handshakeFailure(tls)) }
    }

    private func endConnecting(_ reason: String) {
      guard tried < addresses.count, deadline > now else { return end(.noConnection(address, reason)) }
      discard()
      connect()
    }

    func handshakeFailure(_ tls: OpaquePointer) -> BrokerFailure {
      let code = SSL_get_verify_result(tls)
      if code != 0 {
        let reason = X509_verify_cert_error_string(code).map { String(cString: $0) } ?? "OpenSSL gives no reason"
        return .untrusted(address, code: code, reason: reason, authorities: configuration.authorities)
      }
      return tlsFailure(loggedReason)
    }

    /// - Parameter reason: OpenSSL's words.
    func tlsFailure(_ reason: String?) -> BrokerFailure {
      guard let reason else { return .noConnection(address, "it ends the TLS handshake") }
      if reason.contains("alert") { return .ownCertificate(reason, hasOne: configuration.certificate != nil) }
      return .noConnection(address, "no TLS is spoken there (\(reason))")
    }

    // MARK: The end of a connection

    /// There is no connection: tells why, and waits.
    func end(_ failure: BrokerFailure) {
      let isClosing = isClosing || mailbox.isClosing
      discard()
      mailbox.disconnected()
      let wait = pace.wait(afterEndAt: now, draw: .random(in: 0...1))
      if isClosing { return finish() }
      if failure != told {
        told = failure
        mailbox.events.append(.disconnected(failure))
      }
      phase = .waiting(until: now + (wantedWait ?? (failure.code == .hostile ? Self.hostileWait : wait)))
    }

    private func discard() {
      if let handle { library.destroy(handle) }
      (handle, tls, input) = (nil, nil, nil)
      received = []
      unacknowledged = [:]
    }

    private func finish() {
      discard()
      mailbox.disconnected()
      phase = .over
      mailbox.finish()
    }

    // MARK: While there is one

    /// The broker has answered. Within a call into the library.
    func greeted(code: Int, packetLimit: Int) {
      guard code == 0 else {
        failure = .refused(address, code: code)
        return
      }
      if let handle { library.onLog(handle, nil) }
      if phase == .greeting { phase = .connected }
      keptAliveAt = now + .seconds(5)
      pace.connected(at: now)
      told = nil
      mailbox.connected(packetLimit: packetLimit)
      mailbox.events.append(.connected)
    }

    private func exchange(_ happened: Int16) {
      if isPaused {
        if happened & Int16(POLLERR | POLLHUP) != 0 { hangsUnread = true }
      } else if happened != 0 || !received.isEmpty || hangsUnread {
        hangsUnread = false
        receive()
      }
      guard let handle else { return }
      if library.wantsToWrite(handle), library.write(handle, 1) != 0 {
        return end(failure ?? .lost(address, "it cannot be written to"))
      }
      if phase == .connected || isClosing { handOver() }
    }

    private func handOver() {
      while let handle, !isPaused, !library.wantsToWrite(handle), unacknowledged.count < Self.window {
        let commands = mailbox.take(min(16, Self.window - unacknowledged.count))
        if commands.isEmpty { return }
        for command in commands { perform(command, handle) }
        if let failure { return end(failure) }
      }
    }

    private func perform(_ command: BrokerCommand, _ handle: OpaquePointer) {
      switch command {
      case .publish(let message, let id): publish(message, id: id, handle)
      case .subscribe(let filter, let subscription):
        // Not with a shared one (MQTT 5.0, 3.8.3.1). What is told of a message being retained is whether it is news.
        let isShared = filter.hasPrefix("$share/")
        let options = subscription.includesOwn || isShared ? 0 : MQTT_SUB_OPT_NO_LOCAL.rawValue
        _ = library.subscribe(handle, nil, filter, 1, Int32(options), nil)
      case .unsubscribe(let filter): _ = library.unsubscribe(handle, nil, filter, nil)
      case .reconnect(let wait):
        wantedWait = max(.zero, wait)
        failure = .ownDecision
      }
    }

    private func publish(_ message: BrokerMessage, id: Int?, _ handle: OpaquePointer) {
      var properties: OpaquePointer?
      defer { library.freeProperties(&properties) }
      if let expiry = message.expiry {
        let seconds = UInt32(clamping: max(1, expiry.components.seconds))
        _ = library.addNumber(&properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), seconds)
      }
      var number: Int32 = 0
      let status = library.publish(
        handle, &number, message.topic, Int32(clamping: message.payload.count), message.payload,
        Int32(message.quality.rawValue), message.isRetained, properties)
      guard status == 0 else { return }
      switch message.quality {
      case .atLeastOnce: unacknowledged[number] = .some(id)
      case .atMostOnce: if let id { mailbox.events.append(.acknowledged(id)) }
      }
    }

    private func keepAlive() {
      guard phase == .connected, keptAliveAt <= now, let handle else { return }
      keptAliveAt = now + .seconds(5)
      if library.keepAlive(handle) != 0 { end(failure ?? .lost(address, "no answer")) }
    }

    // MARK: Closing

    private func beginClosing() {
      guard phase == .connected else { return finish() }
      phase = .closing(until: now + Self.closeLimit)
    }

    /// What was sent before is sent, and acknowledged, before the goodbye (MQTT 5.0, 3.14), which may also take too long.
    private func closeFurther(isLast: Bool) {
      guard let handle, isClosing else { return }
      let isIdle = !mailbox.hasCommands && unacknowledged.isEmpty && !library.wantsToWrite(handle)
      guard isIdle || isLast else { return }
      _ = library.disconnect(handle, 0, nil)
      finish()
    }
  }
#endif
