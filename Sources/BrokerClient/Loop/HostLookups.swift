#if Fleet
  import Glibc

  /// Looks up names, off the loop's thread: the system's resolver blocks, for as long as its settings say (10 s and more
  /// where no name server answers). One lookup for all who wait for the same name.
  struct HostLookups {
    enum Answer: Sendable {
      /// As text, in the order of the system's preference.
      case addresses([String])
      case none(reason: String)
    }

    private var running: Set<String> = []
    private let tell: @Sendable (String, Answer) -> Void

    /// - Parameter tell: Called on another thread.
    init(tell: @escaping @Sendable (String, Answer) -> Void) { self.tell = tell }

    /// Begins to look up `host`, unless that is being done.
    mutating func begin(_ host: String) {
      guard running.insert(host).inserted else { return }
      let tell = tell
      let isStarted = LoopThread.start { tell(host, Self.lookUp(host, flags: 0)) }
      if !isStarted { tell(host, .none(reason: "no thread can be started to ask for it")) }
    }

    mutating func ended(_ host: String) { running.remove(host) }

    /// The address that `host` spells out; `nil`: it is a name.
    static func literal(_ host: String) -> [String]? {
      if case .addresses(let found) = lookUp(host, flags: AI_NUMERICHOST) { return found }
      return nil
    }

    private static func lookUp(_ host: String, flags: Int32) -> Answer {
      var hints = addrinfo()
      hints.ai_flags = flags
      hints.ai_family = AF_UNSPEC
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      var list: UnsafeMutablePointer<addrinfo>?
      let status = getaddrinfo(host, nil, &hints, &list)
      defer { if let list { freeaddrinfo(list) } }
      guard status == 0 else { return .none(reason: String(cString: gai_strerror(status)).lowercased()) }
      var found: [String] = []
      var next = list
      while let entry = next?.pointee {
        next = entry.ai_next
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let length = socklen_t(text.count)
        guard getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, length, nil, 0, NI_NUMERICHOST) == 0 else { continue }
        let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if !found.contains(address) { found.append(address) }
      }
      return found.isEmpty ? .none(reason: "the resolver found none") : .addresses(found)
    }
  }
#endif
