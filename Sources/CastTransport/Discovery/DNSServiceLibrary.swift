import CDNSSD
import Glibc

/// The functions of the mDNS library, which is loaded when something is first looked for.
///
/// It brings D-Bus and more with it, a third of a cold start; most commands find their device without it.
struct DNSServiceLibrary {
  let socket: ShowcallerDNSServiceRefSockFD
  let process: ShowcallerDNSServiceProcessResult
  let deallocate: ShowcallerDNSServiceRefDeallocate
  let browse: ShowcallerDNSServiceBrowse
  let resolve: ShowcallerDNSServiceResolve
  let queryRecord: ShowcallerDNSServiceQueryRecord

  /// What Debian's package of it installs.
  static let fileName = "libdns_sd.so.1"

  private static let loaded = Result { () throws(TransportError) in
    try DNSServiceLibrary(loading: fileName)
  }

  /// The one of this process; never unloaded, because threads of its own run in it.
  static func shared() throws(TransportError) -> DNSServiceLibrary { try loaded.get() }

  /// Loads it and prepares it for its first call.
  init(loading fileName: String) throws(TransportError) {
    // Avahi's layer prints a notice on standard error unless this is set.
    setenv("AVAHI_COMPAT_NOWARN", "1", 0)
    guard let handle = dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else { throw .noDNSServiceLibrary(fileName) }
    func function<F>(_ name: String, as type: F.Type) throws(TransportError) -> F {
      guard let symbol = dlsym(handle, name) else { throw .noDNSServiceLibrary(fileName) }
      return unsafeBitCast(symbol, to: type)
    }
    socket = try function("DNSServiceRefSockFD", as: ShowcallerDNSServiceRefSockFD.self)
    process = try function("DNSServiceProcessResult", as: ShowcallerDNSServiceProcessResult.self)
    deallocate = try function("DNSServiceRefDeallocate", as: ShowcallerDNSServiceRefDeallocate.self)
    browse = try function("DNSServiceBrowse", as: ShowcallerDNSServiceBrowse.self)
    resolve = try function("DNSServiceResolve", as: ShowcallerDNSServiceResolve.self)
    queryRecord = try function("DNSServiceQueryRecord", as: ShowcallerDNSServiceQueryRecord.self)
    AvahiMemory.zeroNew(in: handle)
  }
}
