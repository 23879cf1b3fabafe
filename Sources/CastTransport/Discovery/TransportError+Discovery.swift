import CDNSSD

extension TransportError {
  /// Nothing answers that could look or advertise.
  static let noDaemon = TransportError(
    .discoveryUnavailable, "no mDNS daemon answers (Avahi)",
    help: "install and start avahi-daemon, or name the device's address with --host")

  /// The library that asks the daemon is not there, or is none.
  static func noDNSServiceLibrary(_ fileName: String) -> TransportError {
    TransportError(
      .discoveryUnavailable, "the mDNS library \(fileName) cannot be loaded",
      help: "`apt-get install libavahi-compat-libdnssd1`, or name the device's address with --host")
  }

  /// What an error number of Avahi's own library means.
  static func advertising(_ number: Int32) -> TransportError {
    switch number {
    case Int32(AVAHI_ERR_NO_DAEMON), Int32(AVAHI_ERR_DISCONNECTED), Int32(AVAHI_ERR_DBUS_ERROR): noDaemon
    case Int32(AVAHI_ERR_COLLISION): discovery(Int32(kDNSServiceErr_NameConflict))
    case Int32(AVAHI_ERR_TOO_MANY_CLIENTS), Int32(AVAHI_ERR_TOO_MANY_OBJECTS), Int32(AVAHI_ERR_TOO_MANY_ENTRIES):
      discovery(Int32(kDNSServiceErr_Refused))
    default: TransportError(.discoveryUnavailable, "the mDNS daemon failed with error \(number)")
    }
  }

  /// What an error number of the dns_sd library means.
  static func discovery(_ number: Int32) -> TransportError {
    switch Int(number) {
    // Avahi's layer says "unknown" for a missing bus, a missing daemon and one that died.
    case Int(kDNSServiceErr_Unknown): noDaemon
    case Int(kDNSServiceErr_NameConflict):
      TransportError(
        .nameInUse, "a device of this name and id is advertised on this machine already",
        help: "stop the other receiver, or give this one another --name")
    case Int(kDNSServiceErr_Refused):
      TransportError(.discoveryUnavailable, "the mDNS daemon takes no more requests", help: "restart avahi-daemon")
    default: TransportError(.discoveryUnavailable, "the mDNS daemon failed with error \(number)")
    }
  }
}
