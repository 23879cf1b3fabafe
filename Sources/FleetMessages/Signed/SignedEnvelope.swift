import CastProtocol
package import CastTransport

/// What an operator signed: bytes, for one topic, so that nobody can show it to another site (docs/security.md 4.7).
///
/// As text: a line `showcaller-signed 1 KEY SIGNATURE`, then the bytes as they are. The key is a part of the hash of the
/// public key, the signature base64 of Ed25519 (RFC 8032) over the line `showcaller 1 TOPIC` and the bytes.
package struct SignedEnvelope: Hashable, Sendable {
  package enum Problem: Error, Hashable, Sendable {
    /// It is no envelope.
    case unsigned
    /// Another key than the pinned one signed it, or names itself so.
    case otherKey(String)
    /// It was changed, or is for another topic.
    case forged
    case tooLarge(limit: Int)

    /// A lowercase fragment.
    package var message: String {
      switch self {
      case .unsigned: "it is not signed"
      case .otherKey(let key): "another key signed it (\(key))"
      case .forged: "it is not as it was signed, or was signed for another site"
      case .tooLarge(let limit): "it is larger than \(limit >> 20) MiB"
      }
    }
  }

  /// Of an envelope with all files of a document.
  package static let byteLimit = 4 << 20
  private static let mark = "showcaller-signed 1 "

  /// What was signed.
  package let body: [UInt8]

  /// Checks who signed what came on a topic.
  package init(_ payload: [UInt8], on topic: String, by keys: [VerifyingKey]) throws(Problem) {
    guard payload.count <= Self.byteLimit else { throw .tooLarge(limit: Self.byteLimit) }
    // Nothing is looked for behind the first line of a signed message.
    guard let end = payload.prefix(300).firstIndex(of: UInt8(ascii: "\n")),
      let line = String(validating: payload[..<end], as: UTF8.self), line.hasPrefix(Self.mark)
    else { throw .unsigned }
    let words = line.dropFirst(Self.mark.count).split(separator: " ")
    // One signature is written in one way.
    guard words.count == 2, let signature = Base64.decoded(String(words[1])), Base64.encoded(signature) == words[1],
      line == "\(Self.mark)\(words[0]) \(words[1])"
    else { throw .unsigned }
    let named = String(words[0])
    guard let key = keys.first(where: { $0.fingerprint == named }) else { throw .otherKey(named) }
    let body = Array(payload[(end + 1)...])
    guard key.accepts(signature, of: Self.signed(body, on: topic)) else { throw .forged }
    self.body = body
  }

  /// Signs bytes for a topic.
  /// - Returns: The payload; `nil`: OpenSSL fails, or it is too large.
  package static func sealed(_ body: [UInt8], for topic: String, by key: SigningKey) -> [UInt8]? {
    guard let name = key.publicKey?.fingerprint, let signature = key.sign(signed(body, on: topic)) else { return nil }
    let payload = Array("\(mark)\(name) \(Base64.encoded(signature))\n".utf8) + body
    return payload.count <= byteLimit ? payload : nil
  }

  private static func signed(_ body: [UInt8], on topic: String) -> [UInt8] {
    Array("showcaller 1 \(topic)\n".utf8) + body
  }
}

extension VerifyingKey {
  /// 16 hexadecimal digits that people may compare.
  package var fingerprint: String { Digest.sha256(pem).map { String($0.prefix(16)) } ?? "" }
}
