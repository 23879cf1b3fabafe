import FoundationEssentials
import SwiftProtobuf

/// A signed list of revoked keys, as a device hands it over with its proof. Source: docs/security.md 1.4.
///
/// Reading it judges nothing: whoever uses it verifies the signature over ``signedBytes`` first.
package struct RevocationList: Hashable, Sendable {
  /// Certificates of one issuer, by their serial numbers; `last` may be below `first`, which makes the list invalid.
  package struct SerialNumberRange: Hashable, Sendable {
    /// SHA-256 of the issuer's SubjectPublicKeyInfo.
    package var issuer: [UInt8]
    package var first: UInt64
    package var last: UInt64

    package init(issuer: [UInt8], first: UInt64, last: UInt64) {
      self.issuer = issuer
      self.first = first
      self.last = last
    }
  }

  /// What the signature covers.
  package var signedBytes: [UInt8]
  package var signature: [UInt8]
  /// DER.
  package var signerCertificate: [UInt8]
  /// Unix time in seconds.
  package var notBefore: UInt64
  package var notAfter: UInt64
  /// SHA-256 of the SubjectPublicKeyInfo of each revoked key.
  package var keyHashes: [[UInt8]]
  package var serialNumbers: [SerialNumberRange]

  /// Reads the list of a bundle that counts: the first one of version 0.
  /// - Throws: ``ProtocolError/malformedMessage(_:)`` when the bytes are no bundle, or none of its lists is of version 0.
  package init(decodingBundle bytes: [UInt8]) throws(ProtocolError) {
    guard let bundle = try? WireCrlBundle(serializedBytes: bytes, options: .network) else {
      throw .malformedMessage("not a revocation bundle")
    }
    for list in bundle.crls {
      guard let content = try? WireTbsCrl(serializedBytes: list.tbsCrl, options: .network), content.version == 0 else {
        continue
      }
      signedBytes = Array(list.tbsCrl)
      signature = Array(list.signature)
      signerCertificate = Array(list.signerCert)
      notBefore = content.notBeforeSeconds
      notAfter = content.notAfterSeconds
      keyHashes = content.revokedPublicKeyHashes.map { Array($0) }
      serialNumbers = content.revokedSerialNumberRanges.map { range in
        SerialNumberRange(
          issuer: Array(range.issuerPublicKeyHash), first: range.firstSerialNumber, last: range.lastSerialNumber)
      }
      return
    }
    throw .malformedMessage("no revocation list of a known version")
  }
}
