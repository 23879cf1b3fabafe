/// What kinds of device play, as Google lists it for developers; the least of a kind where its models differ.
package enum CastModel: String, Hashable, Sendable, CaseIterable {
  /// Chromecast of the first three generations.
  case chromecast
  case ultra = "chromecast-ultra"
  case googleTV = "google-tv"
  case nestHub = "nest-hub"

  /// The kind of a device by its model name; `nil`: another kind.
  package init?(modelName: String) {
    let name = modelName.lowercased()
    if name.contains("ultra") {
      self = .ultra
    } else if name.contains("google tv") || name.contains("streamer") {
      self = .googleTV
    } else if name.contains("hub") {
      self = .nestHub
    } else if name == "chromecast" {
      self = .chromecast
    } else {
      return nil
    }
  }

  /// Why a codec, as manifests name it (RFC 6381), does not play; `nil`: it does, or nobody knows.
  package func complaint(about codec: String) -> String? {
    let family = codec.split(separator: ".").first.map { $0.lowercased() } ?? ""
    switch family {
    case "hvc1", "hev1", "dvh1", "dvhe":
      return self == .chromecast || self == .nestHub ? "HEVC does not play on \(name)" : hevcComplaint(codec)
    // Newer ones than these play it; of those with Google TV the one for HD does, the one for 4K does not.
    case "av01": return "AV1 does not play on \(name)"
    case "vp09", "vp9": return self == .chromecast ? "VP9 does not play on \(name)" : vp9Complaint(codec)
    case "avc1", "avc3": return h264Complaint(codec)
    case "ac-4", "dtsc", "dtse", "dtsh", "mlpa": return "the sound format \(family) does not play on Cast devices"
    default: return nil
    }
  }

  /// `avc1.640028`: profile, constraints and level in hexadecimal.
  private func h264Complaint(_ codec: String) -> String? {
    guard let digits = codec.split(separator: ".").dropFirst().first, digits.count == 6,
      let profile = Int(digits.prefix(2), radix: 16), let level = Int(digits.suffix(2), radix: 16)
    else { return nil }
    if profile > 100 { return "this profile of H.264 (more than 8 bits, or 4:2:2) does not play on Cast devices" }
    let most =
      switch self {
      // The first two generations; the third goes up to 4.2.
      case .chromecast, .nestHub: 41
      case .ultra: 42
      case .googleTV: 51
      }
    guard level > most else { return nil }
    return "H.264 of level \(Double(level) / 10) does not play on \(name), which goes up to \(Double(most) / 10)"
  }

  /// `hvc1.1.6.L93.B0`: a profile, and a level times 30.
  private func hevcComplaint(_ codec: String) -> String? {
    let parts = codec.split(separator: ".")
    if let profile = parts.dropFirst().first.flatMap({ Int($0) }), profile > 2 {
      return "this profile of HEVC (neither Main nor Main 10) does not play on Cast devices"
    }
    guard let level = parts.dropFirst(3).first.flatMap({ Int($0.dropFirst()) }), level > 153 else { return nil }
    return "HEVC of level \(Double(level) / 30) does not play on \(name), which goes up to 5.1"
  }

  /// `vp09.00.10.08`: a profile, and a level times 10.
  private func vp9Complaint(_ codec: String) -> String? {
    let parts = codec.split(separator: ".").dropFirst().compactMap { Int($0) }
    if let profile = parts.first, profile == 1 || profile == 3 {
      return "this profile of VP9 (other than 4:2:0) does not play on Cast devices"
    }
    let most = self == .nestHub ? 40 : 51
    guard let level = parts.dropFirst().first, level > most else { return nil }
    return "VP9 of level \(Double(level) / 10) does not play on \(name), which goes up to \(Double(most) / 10)"
  }

  package var name: String {
    switch self {
    case .chromecast: "a Chromecast of the first three generations"
    case .ultra: "a Chromecast Ultra"
    case .googleTV: "a Chromecast with Google TV"
    case .nestHub: "a Nest Hub"
    }
  }
}
