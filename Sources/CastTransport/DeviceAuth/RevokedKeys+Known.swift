/// The keys that Google has revoked, as far as we know: a fact that the product has to carry.
///
/// Taken from the revocation list that Chromium has built in, `cast_fallback_crl.h` of
/// `components/media_router/common/providers/cast/certificate/` in chromium/chromium (5a2b0177), signed by Google on
/// 2023-08-04; its 1791 bytes have the SHA-256 2576ba74902221bd1a231a67cc4fc6862bd85d438edec26881fa1f5dfe5e25fc. There
/// it lapses 20 weeks after a build; a revoked key stays revoked, so here it does not (docs/security.md 1.4).
extension RevokedKeys {
  /// Unix time: when the built-in list was signed.
  package static let knownSince = 1_691_180_816

  package static let known = RevokedKeys(
    keyHashes: [
      "1cb945bbf57cc8d3461e4cb3dabe9846e2e0d02e2e293c5b60ecd1690ce3eda5",
      "25e4827076e9eedc3eba4c3f08fac012fbd2f655d187f814eb00ca16e406ba6c",
      "b68ff934ee455f45091c9e9921800c2545254499452afc5b3c7fb8617352a91f",
      "a5f0c831e7983fce8d4582ef33045f642300986d1e2837d4b0681b74c595e72d",
      "cf8761f2c5afb2df154a965afba34c17e39f593733cfe7929551bf6e2490d326",
      "6cea93bdf76dcbbbd61a7772385a09470a314ca5bdee18652cc9b9c9e70eded0",
      "14cf8b245f216a4f59e145d4b02a35627e450e0a26dbf4fe47eea8d97ac248b1",
      "65692808308f4da408164019625b95ba1f604f6ac6aafed087e2afdfeaf1e753",
      "50ecf285303df83f29e8e5a43f3b9979fcd35acd13ce80274d5c55e21a382df7",
      "60479cb5760e1acfd42bfaf062873f5a1dabc2bcfb2763e1eca54bbe5d4c46b9",
      "0f853d707b7245000ae270f0338bf7db049527220de1cc46a502155eedda5a41",
      "d470a9a0b2f489ee0cda9de11d2b87c48520f5c347e1ff5e6b6e9781ed066ecb",
      "755f22de29ba30aa5654e0eb5ee2bfcd3593b19fb4498f21001237ab1e4eff6a",
    ],
    serialNumbers: [
      // Chromecast ICA 4 (Audio)
      "7eb65e15c049fc9e01821f7bc25ac754eccd44ce4e3d9e6dad65f6b787032139": [1_433_968_296...1_433_968_296],
      // Chromecast ICA 3
      "4b8b0a55a2e8e323aeb8d64c71a2317ca5badfb28d9256d3f89cd2e6005ee558": [1_433_890_467...1_433_890_467],
    ])
}
