import CDNSSD
import Glibc

/// One running operation of the dns_sd library. Not Sendable: made, used and let go of on one thread.
///
/// Costs a thread and a connection to the bus each, and ends with `deinit`.
final class ServiceReference {
  /// What an operation reports.
  enum Reply: Hashable {
    /// Comes once for each interface and protocol, so count them.
    case browsed(isAdded: Bool, name: String, domain: String)
    case resolved(host: String, port: Int, txt: [UInt8])
    case record(isAdded: Bool, data: [UInt8], interface: UInt32)
    /// The operation is dead, or found nothing in 5 s.
    case failed(Int32)
  }

  /// The types of record we ask for.
  enum RecordType: UInt16 { case a = 1, aaaa = 28 }

  static let serviceType = "_googlecast._tcp"

  private let receive: (Reply) -> Void
  private let library: DNSServiceLibrary
  private var raw: DNSServiceRef?

  private init(
    _ receive: @escaping (Reply) -> Void,
    _ begin: (DNSServiceLibrary, inout DNSServiceRef?, UnsafeMutableRawPointer) -> DNSServiceErrorType
  ) throws(TransportError) {
    library = try DNSServiceLibrary.shared()
    self.receive = receive
    // Unretained: `deinit` ends the operation, and with it the replies.
    let status = begin(library, &raw, Unmanaged.passUnretained(self).toOpaque())
    guard status == kDNSServiceErr_NoError, raw != nil else {
      raw = nil
      throw .discovery(status)
    }
  }

  deinit { if let raw { library.deallocate(raw) } }

  /// Readable when ``process()`` has something to do.
  var fileDescriptor: Int32 { raw.map { library.socket($0) } ?? -1 }

  /// Delivers what has come. Blocks when nothing has: ask `poll` first.
  func process() {
    guard let raw else { return }
    let status = library.process(raw)
    if status != kDNSServiceErr_NoError { receive(.failed(status)) }
  }

  private static func reply(_ context: UnsafeMutableRawPointer?, _ reply: Reply) {
    guard let context else { return }
    Unmanaged<ServiceReference>.fromOpaque(context).takeUnretainedValue().receive(reply)
  }

  /// - Returns: `nil` for text that is no UTF-8: nobody can name such a service.
  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.flatMap { String(validatingCString: $0) }
  }

  private static func bytes(_ pointer: UnsafeRawPointer?, _ count: UInt16) -> [UInt8] {
    pointer.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(count))) } ?? []
  }

  // MARK: operations

  /// Watches for Cast devices.
  static func browse(_ receive: @escaping (Reply) -> Void) throws(TransportError) -> ServiceReference {
    let callback: DNSServiceBrowseReply = { _, flags, _, status, name, _, domain, context in
      guard status == kDNSServiceErr_NoError else { return ServiceReference.reply(context, .failed(status)) }
      guard let name = ServiceReference.text(name), let domain = ServiceReference.text(domain) else { return }
      let isAdded = flags & UInt32(kDNSServiceFlagsAdd) != 0
      ServiceReference.reply(context, .browsed(isAdded: isAdded, name: name, domain: domain))
    }
    return try ServiceReference(receive) { library, raw, context in
      library.browse(&raw, 0, 0, serviceType, nil, callback, context)
    }
  }

  /// Asks for a service's host, port and text, and goes on to report changes.
  static func resolve(
    name: String, domain: String, _ receive: @escaping (Reply) -> Void
  ) throws(TransportError) -> ServiceReference {
    let callback: DNSServiceResolveReply = { _, _, _, status, _, host, port, count, txt, context in
      guard status == kDNSServiceErr_NoError else { return ServiceReference.reply(context, .failed(status)) }
      guard let host = ServiceReference.text(host) else { return }
      let txt = ServiceReference.bytes(txt, count)
      ServiceReference.reply(context, .resolved(host: host, port: Int(UInt16(bigEndian: port)), txt: txt))
    }
    return try ServiceReference(receive) { library, raw, context in
      library.resolve(&raw, 0, 0, name, serviceType, domain, callback, context)
    }
  }

  /// Asks for a host's addresses of one kind; Avahi has no `DNSServiceGetAddrInfo`.
  static func addresses(
    _ type: RecordType, of host: String, _ receive: @escaping (Reply) -> Void
  ) throws(TransportError) -> ServiceReference {
    let callback: DNSServiceQueryRecordReply = { _, flags, interface, status, _, _, _, count, data, _, context in
      guard status == kDNSServiceErr_NoError else { return ServiceReference.reply(context, .failed(status)) }
      let isAdded = flags & UInt32(kDNSServiceFlagsAdd) != 0
      let bytes = ServiceReference.bytes(data, count)
      ServiceReference.reply(context, .record(isAdded: isAdded, data: bytes, interface: interface))
    }
    return try ServiceReference(receive) { library, raw, context in
      library.queryRecord(&raw, 0, 0, host, type.rawValue, UInt16(kDNSServiceClass_IN), callback, context)
    }
  }
}
