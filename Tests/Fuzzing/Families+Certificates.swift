import CastClient
import CastProtocol
import CastTransport
import Foundation

/// A root that exists for this alone, a device of it, and what that would answer. The keys are thrown away.
enum CertificateSeeds {
  static let rootPEM = """
    -----BEGIN CERTIFICATE-----
    MIIC+jCCAeKgAwIBAgIUXa1FcZOAOa6JytGkriDMd9sA/H8wDQYJKoZIhvcNAQEL
    BQAwFDESMBAGA1UEAwwJRnV6eiBSb290MCAXDTI2MTEyNTIwNTQwNFoYDzIwNTEw
    NzE3MjA1NDA0WjAUMRIwEAYDVQQDDAlGdXp6IFJvb3QwggEiMA0GCSqGSIb3DQEB
    AQUAA4IBDwAwggEKAoIBAQCP2EgoWM0590HDtq6Ykg3XniK9gtbdYvKasBZtA7om
    UxCnThx19Ht8AIJhytqHEJ+rWeUZgLcZtTaiHefzoPXtjg+UaBcMY4y7iLtvUBLH
    hzETZ7v4x4vJRBLn7PxjA6IHOfUkNhramZNqpXSo6xYa0/OoeVEGkgPUbb+9QWNr
    /zwjHCFYvxeKxUeV0A9UDhL1R6JB1b2l/p8HHlwly1qN5kQU7PrKYEbcDsj3Cyzt
    TCr9jB73xDU0bYhfC8rgEjcgu7wsiv2n3VMVjJbZEdhaz7j4bixlVNvn+jGhRubS
    ORPOVkhZcDSitenBjOctmgY92nP42IFQ2/ZSHqMXyXEzAgMBAAGjQjBAMA8GA1Ud
    EwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMB0GA1UdDgQWBBRWgAVMzBBa5hLc
    Wd1iTnS3pSdb/jANBgkqhkiG9w0BAQsFAAOCAQEAGnv7ulHdfWZs8DNDJphg6edy
    ufs6m/atbNtr4sa9QF0s2mq5IdbYl8B5BwS8hmlm9Eor/zYjt51ZhGPCfRYUEdW9
    Yy8RSTnEg0M27ddA/1rppLx0CJ/hTW4MownsS5uhAEkm9RtkpM4Yfi2fzz8qsx77
    nGt2BjnP+BbvfvklcBYXBjhUAH7tDyFxTwM1ttFunDF6Cf3zDRWGIns5dS0SkO5y
    92aN9RWX+wXmjVSXtcAtGijQpmEtfAAMOlkXOmothHGcVOnu5iN5YkxuEmdwvbfo
    STxeOSCjrPJge9tPtC2zPE2mIhiU5MqNANFUcV/rsPQNPQg6Ht2DB/Z4NA3oKQ==
    -----END CERTIFICATE-----
    """

  /// The device certificate.
  static let device = bytes(
    """
    MIIDKjCCAhKgAwIBAgIUG0eVJkp/FEV5NUDOFokNdTrz/BwwDQYJKoZIhvcNAQELBQAwFDESMBAGA1UEAwwJRnV6eiBSb290MB4XDTI2MTEyNT
    IwNTQwNFoXDTQ4MTAyMDIwNTQwNFowFjEUMBIGA1UEAwwLRnV6eiBEZXZpY2UwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCrjuO7
    OqjFStXAQ9DsY5Om+b9DCu3KHdGXGdpBJDIO8G+VsFT6hCvlu01+8dsMy+S3e91TVlnvACqwW80OBKMO6UGuJtvHaAIWjO0ZWE3wRze1UpQW1Q
    5vihRbSEVnWpCiN5nN+RneRXK8Rj6AAPivID0hEuc9J9rebChejrsGXyhaz5P/maKlpKfiFYoTY7AfaL4CPKY4mijae91QPhN5U99EC7S1qBhh
    SmZ2smywOajfve7aj16BXR78er7y1JwJEVZVGAW1UlpWCTZlgdjRICjmLYJsmigw7tONwzdzOpUXuqazEGV+0G8ljYyHuFvVzg9hFb30Ct5CX0
    KntyoxAgMBAAGjcjBwMAkGA1UdEwQCMAAwDgYDVR0PAQH/BAQDAgeAMBMGA1UdJQQMMAoGCCsGAQUFBwMCMB0GA1UdDgQWBBQXkBzfA+ykjq9l
    erFkQFS8+M2dBDAfBgNVHSMEGDAWgBRWgAVMzBBa5hLcWd1iTnS3pSdb/jANBgkqhkiG9w0BAQsFAAOCAQEAGhfGKI2ClbnG9IXI8x5oXd9B/+
    W55K+qAsOxkf06nvazpb62vueIya8YeEsfzZMMgQGYxG9ZddKinNDtHVsGNZXdWVKS+y3apmPkG/fcWeAw9sVj0VNvI3xCS4R+eNK47WYMZBzA
    2JH/9wGtdSNcNeHcIMZrFUdihmH+ULc0Ny4BJUObgzCiGF3goIuB52EVBoOt58gD2i4UF/aUHoz8a4dEGnS16hlVlLcqWICxkV5zE6f6bYBfUE
    rk7qwtYofyVC7oh6Kx5JesiWFnZ+XW2ZVvzNX3o9jseeZzzbLGse4tUrojKGVIQyAPY+nmcp8JpCSPldog8U8VBrrSt7iZYQ==
    """)

  /// Of the nonce 0, 1 … 15 and the device certificate, which stands in for that of TLS.
  private static let signature = bytes(
    """
    A85OOC6z/M1pxc6N/OJKma8qop2nlDc7CBKik7iHt+aVghUOQqt5zy7s82r77xylatlBUTSV4nMdwdCHCVGn49Q9fmXqQ1r0rWb7OywtK9Ciyn
    QgHB38BmLNtO6F2LYkNUv2nsq1lAujy59m2p4zcQA7AMIadhsqy2ZdLufx0DHX4Yy9pGaOfoIeODY27NgsE7R1PZZjMb0UswyGTQ8tpr7h/ere
    nfneCy+RJju9Azdd/PGm3ZwGRt+O4vsuYcBZ0dJgFVkpJr3LP6mmn/6NhGZYIVBz6OKOxu77w8mJgofkHKwq2nAXXEXtS+ZN9QYiXiUGxUsnZA
    Pk1kQF98ZoDA==
    """)

  /// A day before it ends: no other may live longer.
  static let now = 2_486_840_044 - 86_400

  static var response: DeviceAuthMessage {
    var response = DeviceAuthMessage.Response(signature: signature, deviceCertificate: device)
    response.nonce = Array(0...15)
    response.hashAlgorithm = .sha256
    return .response(response)
  }

  private static func bytes(_ text: String) -> [UInt8] {
    Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
  }
}

extension Family {
  static let certificates = Family(
    name: "certificates",
    seeds: {
      [CertificateSeeds.response.encoded(), Array(CertificateSeeds.rootPEM.utf8), CertificateSeeds.device]
        + Corpus.reference("auth/certificates", endingIn: ".pem") + Corpus.reference("auth/signeddata")
        + Corpus.reference("auth/receiver_channel") + Corpus.reference("auth/crl")
    },
    words: [
      "-----BEGIN CERTIFICATE-----\n", "-----END CERTIFICATE-----\n", "\u{30}\u{7F}", "Proc-Type: 4,ENCRYPTED\n", "MII",
      "\u{6}\u{3}\u{55}\u{1D}", "491231235959Z",
    ], makeReader: { CertificateReader() })
}

/// Chains, proofs and PEM files. A proof holds only where the device's certificate and its signature are as they were.
private final class CertificateReader: Reader {
  private let verifier = try? DeviceAuthVerifier.forDevices(extraRoots: [Array(CertificateSeeds.rootPEM.utf8)])
  private let question = DeviceAuthVerifier.Question(nonce: Array(0...15), tlsCertificate: CertificateSeeds.device)
  private var isFirst = true

  func read(_ bytes: [UInt8]) throws(Violation) {
    guard let verifier else { throw Violation("the roots cannot be read") }
    if isFirst {
      isFirst = false
      guard case .response(let response) = CertificateSeeds.response,
        verifier.verify(.proof(.init(response)), to: question, at: CertificateSeeds.now).isVerified
      else { throw Violation("the proof that all others are made of does not hold") }
    }
    _ = try? TrustAnchors(pem: bytes)
    guard case .response(let response)? = try? DeviceAuthMessage(decoding: bytes) else {
      // A certificate alone, as the device's own.
      let proof = DeviceAuthVerifier.Proof(signature: [1], certificates: [bytes], nonce: nil, hash: .sha256)
      if verifier.verify(.proof(proof), to: question, at: CertificateSeeds.now).isVerified {
        throw Violation("a certificate without a signature is believed")
      }
      return
    }
    let proof = DeviceAuthVerifier.Proof(response)
    let report = verifier.verify(.proof(proof), to: question, at: CertificateSeeds.now)
    guard report.isVerified, case .response(let genuine) = CertificateSeeds.response else { return }
    guard proof.signature == genuine.signature, proof.certificates.first == CertificateSeeds.device,
      report.provenKey != nil
    else { throw Violation("a changed proof is believed") }
  }
}
