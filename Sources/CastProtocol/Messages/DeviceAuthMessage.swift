import FoundationEssentials
import SwiftProtobuf

/// A message of device authentication, the payload of ``Namespace/deviceAuth``. Source: docs/protocol.md 1.4.
package enum DeviceAuthMessage: Hashable, Sendable {
  case challenge(Challenge)
  case response(Response)
  case error(Failure)

  /// What a sender asks a device to sign.
  package struct Challenge: Hashable, Sendable {
    package var signatureAlgorithm = SignatureAlgorithm.pkcs1v15
    package var nonce: [UInt8]?
    package var hashAlgorithm = HashAlgorithm.sha1

    package init() {}
  }

  /// A device's proof: a signature over the nonce and its TLS certificate.
  package struct Response: Hashable, Sendable {
    package var signature: [UInt8]
    /// DER.
    package var deviceCertificate: [UInt8]
    /// DER, the issuer of the device certificate first.
    package var intermediateCertificates: [[UInt8]] = []
    package var signatureAlgorithm = SignatureAlgorithm.pkcs1v15
    package var nonce: [UInt8]?
    package var hashAlgorithm = HashAlgorithm.sha1
    /// The serialized revocation bundle; `nil` where it is absent or empty.
    package var revocations: [UInt8]?

    package init(signature: [UInt8], deviceCertificate: [UInt8]) {
      self.signature = signature
      self.deviceCertificate = deviceCertificate
    }
  }

  /// How the proof is signed; any number may come.
  package struct SignatureAlgorithm: RawRepresentable, Hashable, Sendable {
    package var rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let unspecified = SignatureAlgorithm(rawValue: 0)
    package static let pkcs1v15 = SignatureAlgorithm(rawValue: 1)
    package static let pss = SignatureAlgorithm(rawValue: 2)
  }

  /// What the proof hashes with; any number may come.
  package struct HashAlgorithm: RawRepresentable, Hashable, Sendable {
    package var rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let sha1 = HashAlgorithm(rawValue: 0)
    package static let sha256 = HashAlgorithm(rawValue: 1)
  }

  /// Why a device gives no proof; any number may come.
  package struct Failure: RawRepresentable, Hashable, Sendable {
    package var rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let internalError = Failure(rawValue: 0)
    package static let noTLS = Failure(rawValue: 1)
    package static let signatureAlgorithmUnavailable = Failure(rawValue: 2)
  }
}

extension DeviceAuthMessage {
  /// Reads a binary payload. Where a peer sets several members, an error counts before a response and that before a
  /// challenge.
  /// - Throws: ``ProtocolError/malformedMessage(_:)`` when it is no device authentication message, or an empty one.
  package init(decoding bytes: [UInt8]) throws(ProtocolError) {
    let wire: WireDeviceAuthMessage
    do {
      wire = try WireDeviceAuthMessage(serializedBytes: bytes, options: .network)
    } catch {
      throw .malformedMessage("not a device authentication message")
    }
    if wire.hasError {
      self = .error(Failure(rawValue: Int(wire.error.errorType)))
    } else if wire.hasResponse {
      self = .response(Response(wire.response))
    } else if wire.hasChallenge {
      self = .challenge(Challenge(wire.challenge))
    } else {
      throw .malformedMessage("empty device authentication message")
    }
  }

  /// The message as a binary payload.
  package func encoded() -> [UInt8] {
    var wire = WireDeviceAuthMessage()
    switch self {
    case .challenge(let challenge): wire.challenge = challenge.wire
    case .response(let response): wire.response = response.wire
    case .error(let failure): wire.error.errorType = Int32(truncatingIfNeeded: failure.rawValue)
    }
    // Every required field is set, so this fails only past 2 GB; a peer ignores the empty payload that results then.
    return (try? wire.serializedBytes()) ?? []
  }
}

extension DeviceAuthMessage.Challenge {
  fileprivate init(_ wire: WireAuthChallenge) {
    signatureAlgorithm.rawValue = Int(wire.signatureAlgorithm)
    nonce = wire.hasSenderNonce ? Array(wire.senderNonce) : nil
    hashAlgorithm.rawValue = Int(wire.hashAlgorithm)
  }

  fileprivate var wire: WireAuthChallenge {
    var wire = WireAuthChallenge()
    // Senders leave the usual algorithm out (docs/security.md 1.1).
    if signatureAlgorithm != .pkcs1v15 {
      wire.signatureAlgorithm = Int32(truncatingIfNeeded: signatureAlgorithm.rawValue)
    }
    if let nonce { wire.senderNonce = Data(nonce) }
    wire.hashAlgorithm = Int32(truncatingIfNeeded: hashAlgorithm.rawValue)
    return wire
  }
}

extension DeviceAuthMessage.Response {
  fileprivate init(_ wire: WireAuthResponse) {
    self.init(signature: Array(wire.signature), deviceCertificate: Array(wire.clientAuthCertificate))
    intermediateCertificates = wire.intermediateCertificate.map { Array($0) }
    signatureAlgorithm.rawValue = Int(wire.signatureAlgorithm)
    nonce = wire.hasSenderNonce ? Array(wire.senderNonce) : nil
    hashAlgorithm.rawValue = Int(wire.hashAlgorithm)
    revocations = wire.crl.isEmpty ? nil : Array(wire.crl)
  }

  fileprivate var wire: WireAuthResponse {
    var wire = WireAuthResponse()
    wire.signature = Data(signature)
    wire.clientAuthCertificate = Data(deviceCertificate)
    wire.intermediateCertificate = intermediateCertificates.map { Data($0) }
    wire.signatureAlgorithm = Int32(truncatingIfNeeded: signatureAlgorithm.rawValue)
    if let nonce { wire.senderNonce = Data(nonce) }
    wire.hashAlgorithm = Int32(truncatingIfNeeded: hashAlgorithm.rawValue)
    if let revocations { wire.crl = Data(revocations) }
    return wire
  }
}
