import NIOPosix
import Synchronization

/// The authority of a process, made when it is first asked for.
package final class LazyDeviceAuthAuthority: Sendable {
  private let made = Mutex<Result<DeviceAuthAuthority, TransportError>?>(nil)
  private let now: @Sendable () -> Int

  /// - Parameter now: Unix time.
  package init(now: @escaping @Sendable () -> Int) { self.now = now }

  /// The authority; the first call takes the time that two RSA keys take, and others wait for it.
  package func get() throws(TransportError) -> DeviceAuthAuthority {
    let result = made.withLock { made in
      let result = made ?? Result { () throws(TransportError) in try DeviceAuthAuthority(now: now()) }
      made = result
      return result
    }
    return try result.get()
  }

  fileprivate func signer(name: String) throws(TransportError) -> DeviceAuthSigner {
    try DeviceAuthSigner(name: name, authority: get(), now: now())
  }
}

/// How one virtual receiver proves itself. Keys and certificate are made at the first challenge, and every proof off the
/// caller's thread: neither the start of a receiver nor an event loop waits for them.
package final class DeviceCredentials: Sendable {
  /// What goes into the answer to a challenge.
  package struct Proof: Hashable, Sendable {
    package var signature: [UInt8]
    /// In DER; its issuer is the root itself.
    package var certificateDER: [UInt8]

    package init(signature: [UInt8], certificateDER: [UInt8]) {
      self.signature = signature
      self.certificateDER = certificateDER
    }
  }

  private let name: String
  private let authority: LazyDeviceAuthAuthority
  private let signer = Mutex<DeviceAuthSigner?>(nil)

  /// - Parameter name: The common name of the device certificate.
  package init(name: String, authority: LazyDeviceAuthAuthority) {
    self.name = name
    self.authority = authority
  }

  /// Signs `nonce` and `tlsCertificate`, and calls `reply` on another thread; with `nil` where that fails.
  package func prove(
    nonce: [UInt8], tlsCertificate: [UInt8], hash: DeviceAuthHash, reply: @escaping @Sendable (Proof?) -> Void
  ) {
    NIOThreadPool.singleton.submit { [self] _ in
      guard let signer = try? madeSigner(),
        let signature = signer.sign(nonce: nonce, tlsCertificate: tlsCertificate, hash: hash)
      else { return reply(nil) }
      reply(Proof(signature: signature, certificateDER: signer.certificateDER))
    }
  }

  private func madeSigner() throws(TransportError) -> DeviceAuthSigner {
    if let signer = signer.withLock({ $0 }) { return signer }
    let made = try authority.signer(name: name)
    return signer.withLock { signer in
      // Two that began together: the first counts.
      signer = signer ?? made
      return signer ?? made
    }
  }
}
