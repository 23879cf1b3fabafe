import Testing

@testable import ScenarioLanguage

/// The golden documents beside this file, and which of their messages come from what is built.
enum Golden {
  /// Codes K, T, Y and N: they come from reading the document alone.
  static let front = [
    "01-K101", "02-K101", "03-K102", "04-K103", "05-K104", "06-T201", "07-T202", "08-T203", "09-T204", "10-T205",
    "11-T206", "12-T207", "13-T208", "14-T209", "15-T210", "16-T211", "17-Y301", "18-Y302", "19-Y303", "20-Y304",
    "21-N401", "22-N402", "23-N403", "25-N405", "26-N406",
  ]

  /// Codes C and P: they come from compiling.
  static let back = [
    "27-C501", "28-C502", "29-C503", "30-C504", "31-C505", "32-C506", "33-C507", "35-P601", "37-P603", "38-P604",
    "39-P605",
    "40-P606", "41-P607",
  ]

  /// They include libraries, which their own test makes.
  static let includes = ["24-N404", "34-C508"]

  /// What no test can show yet, and why.
  static let notYet = [
    "36-P602": "shown where the simulation is, in SimulationTests",
    "42-R701": "shown where devices are looked for, in DeviceControlTests",
  ]

  /// What every golden document is checked with: the day they were written on, and the zones of this computer.
  static let inputs: PlanCompiler.Inputs = {
    var inputs = PlanCompiler.Inputs()
    inputs.today = CivilDate(year: 2026, month: 11, day: 21)
    inputs.zoneData = ZoneFiles.read
    return inputs
  }()

  static let folder = TestFiles.target + "/Fixtures/golden"

  /// A golden document under the name that its message shows.
  static func document(_ name: String) throws -> SourceFile {
    SourceFile(name: "lobby.yaml", bytes: try bytes("diagnostics/\(name).yaml"))
  }

  /// The message without its last newline.
  static func message(_ name: String) throws -> String {
    var text = String(decoding: try bytes("diagnostics/\(name).txt"), as: UTF8.self)
    while text.hasSuffix("\n") { text.removeLast() }
    return text
  }

  /// All that is said of a document: its message, and in `Fixtures/golden-whole` what stands beside it where the document
  /// has less than it should: no zone, no expectation, no media.
  static func output(_ name: String) throws -> String {
    guard several.contains(name) else { return try message(name) + "\n" }
    return String(decoding: try bytes("../golden-whole/\(name).txt"), as: UTF8.self)
  }

  /// The documents of which more than their message is said.
  static let several = TestFiles.names(in: "\(folder)/../golden-whole").map { String($0.dropLast(4)) }

  static func bytes(_ path: String) throws -> [UInt8] { try bytes(ofFile: "\(folder)/\(path)") }

  static func bytes(ofFile path: String) throws -> [UInt8] {
    try #require(TestFiles.bytes(path), "no \(path)")
  }

  static func names() throws -> [String] {
    let names = TestFiles.names(in: "\(folder)/diagnostics").filter { $0.hasSuffix(".yaml") }.map {
      String($0.dropLast(5))
    }
    try #require(!names.isEmpty, "no golden documents")
    return names
  }
}
