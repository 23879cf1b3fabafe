package import CastTransport

/// How the devices of a program have to prove themselves. Clock and randomness are handed in.
package struct AuthenticationRules: Sendable {
  package var mode: AuthenticationMode
  package var verifier: DeviceAuthVerifier
  /// Sixteen random bytes, new ones at each call: a challenge is for one connection (docs/security.md 0).
  package var makeNonce: @Sendable () -> [UInt8]
  /// Unix time in seconds: certificates are judged by the calendar.
  package var wallClock: @Sendable () -> Int
  /// The keys that devices have shown; whoever connects by these rules shares them.
  package var keys = DeviceKeys()
  /// Where keys are kept for the next run.
  package var keyStore = DeviceKeyStore.none
  /// What the key of the device that is connected to has to be; `nil`: it is not compared.
  package var keyCheck: DeviceKeyCheck?

  package init(
    mode: AuthenticationMode = .report, verifier: DeviceAuthVerifier, makeNonce: @escaping @Sendable () -> [UInt8],
    wallClock: @escaping @Sendable () -> Int
  ) {
    self.mode = mode
    self.verifier = verifier
    self.makeNonce = makeNonce
    self.wallClock = wallClock
  }
}
