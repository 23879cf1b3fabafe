import CastProtocol
import Conformance

extension Family {
  /// Results of `conform` that are read from a file.
  static let results = Family(
    name: "results",
    seeds: {
      var result = ConformanceResult("receiver.status", .failed, reason: "s1 send: no reply fits")
      result.observed = [.init("volume step", "0.05"), .init("volume control", "master")]
      var device = CheckedDevice(name: "Lobby TV", address: "192.0.2.14", time: "2026-11-27T02:00:00.000Z")
      (device.id, device.model, device.firmware, device.castVersion) = ("0a", "Chromecast", "281627", "1.56")
      device.checks = [result, ConformanceResult("media.load", .passed), ConformanceResult("volume.set", .skipped)]
      let record = ConformanceRecord([device])
      return [
        Array(record.json.serialized().utf8),
        Array(
          ConformanceMatrix([.init(device, comparedWith: device)], checks: ConformanceCheck.all).text(
            in: .json, by: "x"
          ).utf8),
      ]
    },
    words: [
      "\"v\":", "\"devices\":", "\"checks\":", "\"observed\":", "\"result\":\"passed\"", "\"result\":\"not run\"",
      "null",
      "[]", "{}", "1e308", "\"id\":\"media.load\"", "\"firmware\":", "\"name\":\"=1\"", "\\u0000", "\\u202e",
    ], makeReader: { ResultReader() })
}

/// What is read is written, and read again it is the same; compared and printed in every format it does no harm.
private final class ResultReader: Reader {
  func read(_ bytes: [UInt8]) async throws(Violation) {
    guard let record = try? ConformanceRecord(parsing: bytes) else { return }
    guard (try? ConformanceRecord(parsing: Array(record.json.serialized().utf8))) == record else {
      throw Violation("a result that was written is read as another")
    }
    let columns = record.devices.prefix(3).map { device in
      ConformanceMatrix.Column(device, comparedWith: record.earlier(of: device))
    }
    let matrix = ConformanceMatrix(Array(columns), checks: ConformanceCheck.all)
    for format in ConformanceMatrix.Format.allCases {
      let text = matrix.text(in: format, by: "showcaller")
      let isSafe = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" || $0 == "\r" }
      guard isSafe else { throw Violation("\(format.rawValue) has a control character") }
    }
    for column in columns { _ = column.ending(excusingKnown: true) }
  }
}
