import CastProtocol
import DeviceControl
import ScenarioLanguage

/// Devices as lines for people, in columns.
enum DeviceTable {
  private static let heads = ["NAME", "MODEL", "ADDRESS", "CAN", "SHOWS", "ID"]
  /// Longer texts push what follows aside instead of everything.
  private static let widest = 40

  /// - Parameter hasHead: Whether to name the columns: for people, not for programs.
  static func lines(_ devices: [ListedDevice], hasHead: Bool) -> [String] {
    let rows = (hasHead ? [heads] : []) + devices.map(cells)
    var widths = [Int](repeating: 0, count: heads.count)
    for row in rows {
      for (column, cell) in row.enumerated() {
        widths[column] = max(widths[column], min(widest, DisplayWidth.of(cell.unicodeScalars)))
      }
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let space = max(0, widths[column] - DisplayWidth.of(cell.unicodeScalars))
        line += cell + (column == row.count - 1 ? "" : String(repeating: " ", count: space + 2))
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// One line on its own.
  static func line(_ device: ListedDevice) -> String { cells(device).filter { $0 != "-" }.joined(separator: "  ") }

  private static func cells(_ device: ListedDevice) -> [String] {
    [
      device.name, device.model ?? "", device.address.text, device.capabilityWords.joined(separator: ","),
      device.shows ?? "", device.id ?? "",
    ].map { $0.isEmpty ? "-" : TerminalText.escaped($0) }
  }
}
