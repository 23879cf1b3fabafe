import CastProtocol
import ScenarioLanguage

/// The command that holds the lock of a device, as the lock's file says. Another process wrote the file: what is read is
/// bounded, and it decides only how long a command waits.
package struct DeviceHolder: Hashable, Sendable {
  /// What runs, in words of the command line without values: `showcaller run nightly.yaml`.
  package var command: String
  /// The number of the process.
  package var process: Int
  /// When it got the lock, in Unix seconds; `nil` where its clock was wrong.
  package var since: Int?
  /// Whether it ends in a moment.
  package var isBrief: Bool

  /// A line and its end are no longer than this.
  static let byteLimit = 4096
  private static let commandLimit = 200

  /// - Parameter command: Cut after 200 characters; what could do something to a terminal is escaped.
  package init(command: String, process: Int, since: Int?, isBrief: Bool) {
    let cut = command.unicodeScalars.prefix(Self.commandLimit)
    let isWhole = cut.count == command.unicodeScalars.count
    self.command = TerminalText.escaped(String(String.UnicodeScalarView(cut))) + (isWhole ? "" : "…")
    self.process = process
    self.since = since
    self.isBrief = isBrief
  }

  /// Reads the first line of a lock's file; `nil` where that says nothing.
  init?(line bytes: [UInt8]) {
    guard let line = bytes.prefix(Self.byteLimit).split(separator: UInt8(ascii: "\n")).first,
      let json = try? JSONValue(parsing: Array(line)), json["v"]?.int == 1,
      let command = json["command"]?.string, !command.isEmpty, let process = json["process"]?.int, process > 0
    else { return nil }
    self.init(command: command, process: process, since: json["since"]?.int, isBrief: json["brief"]?.bool == true)
  }

  /// One line of JSON.
  var line: String {
    var json: JSONObject = ["v": 1, "command": .string(command), "process": .int(process)]
    json["since"] = since.map(JSONValue.int)
    if isBrief { json["brief"] = true }
    return JSONValue.object(json).serialized() + "\n"
  }

  /// For people: `showcaller run nightly.yaml (process 4711, for 3m12s)`.
  /// - Parameter now: In Unix seconds.
  package func words(at now: Double) -> String {
    let age = since.flatMap { Int(exactly: now.rounded(.down) - Double($0)) }
    // A clock that was set tells nothing.
    let time = age.flatMap { $0 < 0 ? nil : ", for \(Duration.seconds($0).spelled)" }
    return "\(command) (process \(process)\(time ?? ""))"
  }
}
