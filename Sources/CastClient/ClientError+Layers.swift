import CastProtocol
package import CastTransport

extension ClientError {
  /// What a failure to move bytes means to who wants a device.
  package init(_ error: TransportError) {
    let wanted: Class =
      switch error.code {
      case .unreachable, .unknownHost, .addressInUse, .addressNotAvailable, .discoveryUnavailable, .nameInUse:
        .unreachable
      case .tlsHandshakeFailed, .setupFailed, .badCertificate: .tls
      case .connectionLost, .backlogExceeded: .connectionLost
      }
    self.init(wanted, error.message, help: error.help)
  }

  /// Why a channel was given up.
  init(_ failure: ChannelStateMachine.Failure) {
    switch failure {
    case .peerSilent(let silence):
      self.init(
        .connectionLost, "nothing came from the device for \(Int(exactly: silence.seconds.rounded()) ?? 0) s",
        help: "see whether it is powered and on the same network")
    case .frameStalled:
      self.init(.protocol, "a frame stayed unfinished")
    case .flood:
      self.init(
        .protocol, "device.flood: the device floods the connection with messages",
        help: "restart the device; if it does this again, its firmware is at fault")
    case .byteFlood(let limit):
      self.init(
        .protocol, "device.flood: the device sends more than \(limit >> 20) MiB a second",
        help: "restart the device; if it does this again, its firmware is at fault")
    case .protocolBroken(.frameTooLong(let declared, let limit)):
      self.init(.protocol, "a frame announces \(declared) bytes, \(limit) are allowed", help: Self.notCast)
    case .protocolBroken(.frameEmpty):
      self.init(.protocol, "a frame is empty", help: Self.notCast)
    case .protocolBroken(.malformedMessage(let reason)):
      self.init(.protocol, "a frame holds no Cast message: \(reason)", help: Self.notCast)
    case .protocolBroken(.malformedJSON(let reason, _)):
      self.init(.protocol, "a message is not JSON: \(reason)", help: Self.notCast)
    }
  }

  private static let notCast = "see whether this address and port belong to a Cast device"
}
