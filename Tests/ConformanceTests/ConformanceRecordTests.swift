import CastProtocol
import Testing

@testable import Conformance

/// Results as they are kept.
@Suite struct ConformanceRecordTests {
  private func parsed(_ text: String) throws -> ConformanceRecord { try ConformanceRecord(parsing: Array(text.utf8)) }

  @Test("What is written is read back, and so is the matrix as JSON")
  func roundTrip() throws {
    var result = ConformanceResult("receiver.status", .failed, reason: "s1 send: no reply")
    result.observed = [.init("volume step", "0.05"), .init("receiver status", "volume")]
    let device = ConformanceComparisonTests.device(result, ConformanceResult("media.load", .notRun))
    let record = ConformanceRecord([device])
    #expect(try parsed(record.json.serialized()) == record)
    let matrix = ConformanceMatrix([.init(device, comparedWith: device)], checks: ConformanceCheck.all)
    #expect(try parsed(matrix.text(in: .json, by: "showcaller 0")) == record)
  }

  static let wrong: [(text: String, message: String)] = [
    ("", "it is no JSON: "), ("{", "it is no JSON: "), ("# Cast conformance", "at byte 0"), ("[]", "it is no result"),
    ("{}", "it is no result"),
    (#"{"v":1}"#, "it is no result"), (#"{"v":"1","devices":[]}"#, "it is no result"),
    (#"{"v":2,"devices":[]}"#, "a newer showcaller wrote it (version 2)"),
    (#"{"v":1,"devices":[1]}"#, "a device has no name or no checks"),
    (#"{"v":1,"devices":[{"name":"x"}]}"#, "a device has no name or no checks"),
    (#"{"v":1,"devices":[{"name":"x","checks":[{}]}]}"#, "a check has no id or no result"),
    (#"{"v":1,"devices":[{"name":"x","checks":[{"id":"a","result":"fine"}]}]}"#, "a check has no id or no result"),
    (String(repeating: "[", count: 1_000), "it is no JSON: "),
  ]
  @Test("What is no result is told apart, and nothing of it is taken", arguments: wrong)
  func damaged(text: String, message: String) {
    let problem = #expect(throws: ConformanceRecord.Problem.self) { try parsed(text) }
    #expect(problem?.message.contains(message) == true, "\(problem?.message ?? "")")
    #expect(problem?.message.contains("malformedJSON") == false)
  }

  @Test("Every prefix of a record is either read or refused, and every byte may be another")
  func broken() throws {
    var result = ConformanceResult("receiver.status", .passed)
    result.observed = [.init("volume step", "0.05")]
    let bytes = Array(ConformanceRecord([ConformanceComparisonTests.device(result)]).json.serialized().utf8)
    for count in bytes.indices {
      #expect(throws: ConformanceRecord.Problem.self) { try ConformanceRecord(parsing: Array(bytes[..<count])) }
    }
    for index in bytes.indices {
      for byte: UInt8 in [0, 0x22, 0x7B, 0xFF] {
        var other = bytes
        other[index] = byte
        _ = try? ConformanceRecord(parsing: other)
      }
    }
  }

  @Test("Texts and lists of a file are cut at their limits")
  func limits() throws {
    let long = String(repeating: "x", count: 10_000)
    let observed = (0..<200).map { "\"o\($0)\":\"\(long)\"" }.joined(separator: ",")
    let record = try parsed(
      #"{"v":1,"devices":[{"name":"\#(long)","checks":[{"id":"a.b","result":"passed","observed":{\#(observed)}}]}]}"#)
    let device = try #require(record.devices.first)
    #expect(device.name.count == 2_000 && device.checks[0].observed.count == 50)
    #expect(device.checks[0].observed.allSatisfy { $0.value.count == 2_000 })
  }

  @Test("The newest result of each firmware is kept, the newest last, and no more than twenty")
  func keep() {
    var record = ConformanceRecord()
    for number in 1...30 { record.keep(ConformanceComparisonTests.device(firmware: "\(number)")) }
    #expect(record.devices.compactMap(\.firmware) == (11...30).map(String.init))
    record.keep(ConformanceComparisonTests.device(ConformanceResult("a.b", .failed), firmware: "15"))
    #expect(record.devices.count == 20 && record.devices.last?.checks.count == 1)
    #expect(record.devices.filter { $0.firmware == "15" }.count == 1)
  }

  @Test("A result is compared with that of the same id, else of the same name, else with the only one")
  func earlier() {
    func named(_ name: String, _ id: String?) -> CheckedDevice {
      var device = CheckedDevice(name: name, address: "", time: "")
      device.id = id
      return device
    }
    let record = ConformanceRecord([named("A", "1"), named("B", nil)])
    #expect(record.earlier(of: named("Other", "1"))?.name == "A")
    #expect(record.earlier(of: named("B", "7"))?.name == "B")
    #expect(record.earlier(of: named("C", "7")) == nil)
    #expect(ConformanceRecord([named("A", "1")]).earlier(of: named("C", "7"))?.name == "A")
    #expect(ConformanceRecord().earlier(of: named("C", "7")) == nil)
  }
}
