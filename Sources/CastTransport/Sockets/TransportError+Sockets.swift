import Glibc
import NIOCore
import NIOPosix

extension TransportError {
  /// What went wrong while opening a connection to `peer` (`host:port`).
  static func connecting(to peer: String, _ error: any Error, limit: Duration) -> TransportError {
    switch error {
    case let error as TransportError: error
    case let error as NIOConnectionError:
      if let first = error.connectionErrors.first {
        connecting(to: peer, first.error, limit: limit)
      } else if let unknown = (error.dnsAError ?? error.dnsAAAAError) as? TransportError {
        unknown
      } else {
        HostNameResolver.unknownHost(error.host, reason: "the resolver found none")
      }
    case ChannelError.connectTimeout:
      unreachable(peer, "no answer in \(limit.forPeople)")
    default: unreachable(peer, reason(of: error))
    }
  }

  /// What went wrong while listening at `address` (`host:port`).
  static func listening(at address: String, _ error: any Error) -> TransportError {
    guard let error = error as? IOError else {
      return error as? TransportError ?? TransportError(.setupFailed, "cannot listen at \(address): \(error)")
    }
    return switch error.errnoCode {
    case EADDRINUSE:
      TransportError(.addressInUse, "\(address) is in use", help: "stop what listens there, or take another port")
    case EADDRNOTAVAIL:
      TransportError(.addressNotAvailable, "this machine has no address for \(address)")
    case EACCES:
      TransportError(
        .addressNotAvailable, "no permission to listen at \(address)", help: "ports below 1024 need privileges")
    default: TransportError(.setupFailed, "cannot listen at \(address): \(reason(of: error))")
    }
  }

  /// What broke an open connection.
  static func whileOpen(_ error: any Error) -> TransportError {
    error as? TransportError ?? TransportError(.connectionLost, "the connection broke: \(reason(of: error))")
  }

  static func unreachable(_ peer: String, _ reason: String) -> TransportError {
    TransportError(.unreachable, "cannot reach \(peer): \(reason)")
  }

  /// A fragment that says what the system did not like.
  static func reason(of error: any Error) -> String {
    guard let error = error as? IOError else { return "\(error)" }
    return switch error.errnoCode {
    case ECONNREFUSED: "connection refused"
    case EHOSTUNREACH, ENETUNREACH, ENETDOWN: "no route"
    case ETIMEDOUT: "no answer"
    case ECONNRESET, EPIPE: "the peer reset it"
    case EMFILE, ENFILE: "too many open files"
    default: String(cString: strerror(error.errnoCode)).lowercased()
    }
  }
}

extension Duration {
  /// `5 s`, or `250 ms` where it is no whole number of seconds.
  var forPeople: String {
    let (seconds, attoseconds) = components
    return attoseconds == 0 ? "\(seconds) s" : "\(seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000) ms"
  }
}
