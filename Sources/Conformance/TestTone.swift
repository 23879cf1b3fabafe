/// What the checks play where nobody names anything else: made here, so that a suite needs no network but the device's.
package enum TestTone {
  /// Its name beside the documents.
  package static let fileName = "tone.wav"
  /// Subtitles for it.
  package static let subtitlesName = "lines.vtt"
  /// The longest that a check needs is 40 s.
  private static let (seconds, rate) = (60, 8_000)
  /// Of 32767: a check at night wakes nobody.
  private static let amplitude = 200

  /// A minute of a quiet tone: WAV, 16 bit, one channel (supported by all receivers).
  package static var wave: [UInt8] {
    let count = seconds * rate
    var bytes: [UInt8] = []
    bytes.reserveCapacity(44 + 2 * count)
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    bytes += Array("RIFF".utf8) + number(36 + 2 * count, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
    bytes += number(1, 2) + number(1, 2) + number(rate, 4) + number(2 * rate, 4) + number(2, 2) + number(16, 2)
    bytes += Array("data".utf8) + number(2 * count, 4)
    // A triangle of 250 Hz: 32 samples a turn.
    for index in 0..<count {
      let phase = index % 32
      let level = phase < 16 ? phase - 8 : 24 - phase
      bytes += number(level * amplitude / 8, 2)
    }
    return bytes
  }

  /// A line at each ten seconds.
  package static let subtitles = Array(
    ("WEBVTT\n\n"
      + (0..<6).map {
        "00:00:\($0 * 10 < 10 ? "0" : "")\($0 * 10).000 --> 00:00:\($0 * 10 + 5 < 10 ? "0" : "")\($0 * 10 + 5).000\nLine \($0 + 1)\n"
      }
      .joined(separator: "\n")).utf8)
}
