import CastProtocol
import RunReporting
package import ScenarioLanguage

/// How events call a device (docs/design.md 10.3).
package enum DeviceName {
  /// The inventory id, else the friendly name folded to `a-z0-9-`, else `host:port`.
  package static func name(of device: FoundDevice?, selector: Plan.DeviceSelector) -> String {
    if let id = selector.inventoryID { return id }
    let folded = folded(device?.name ?? selector.name ?? "")
    if !folded.isEmpty { return folded }
    if let address = device?.address ?? selector.host { return "\(address.host):\(address.port)" }
    return "device"
  }

  /// What `--device` takes to mean this device and no other.
  package static func choice(of device: FoundDevice, selector: Plan.DeviceSelector) -> String {
    if let id = selector.inventoryID { return id }
    return device.via == .host ? device.address.text : device.id ?? device.name
  }

  /// Lower-case ASCII letters and digits with `-` between; `Café Écran` is `cafe-ecran`. Scripts without such letters
  /// give nothing.
  package static func folded(_ name: String) -> String {
    var result = ""
    for character in name.lowercased() {
      // The base letter of a composed one: `é` is `e` and an accent.
      let scalar = character.unicodeScalars.first ?? " "
      let letters = plainLetters[scalar].map { String($0) } ?? (scalar.isASCII ? String(scalar) : "")
      if let first = letters.unicodeScalars.first, isPlain(first) {
        result += letters
      } else if !letters.isEmpty || scalar.properties.isWhitespace, !result.isEmpty, result.last != "-" {
        result += "-"
      }
    }
    while result.last == "-" { result.removeLast() }
    return result
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
  }

  /// Latin letters with marks, which come composed from mDNS.
  private static let plainLetters: [Unicode.Scalar: String] = {
    var table: [Unicode.Scalar: String] = [
      "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i",
    ]
    let rows = [
      ("a", "àáâãäåāăą"), ("c", "çćĉċč"), ("d", "ď"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"), ("h", "ĥħ"),
      ("i", "ìíîïĩīĭį"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľŀ"), ("n", "ñńņňŋ"), ("o", "òóôõöōŏő"), ("r", "ŕŗř"),
      ("s", "śŝşšș"), ("t", "ţťŧț"), ("u", "ùúûüũūŭůűų"), ("w", "ŵ"), ("y", "ýÿŷ"), ("z", "źżž"),
    ]
    for (plain, marked) in rows {
      for scalar in marked.unicodeScalars { table[scalar] = plain }
    }
    return table
  }()
}

extension String {
  /// The name, with a number behind it when it is taken.
  package func unique(among taken: [String]) -> String {
    if !taken.contains(self) { return self }
    var number = 2
    while taken.contains("\(self)-\(number)") { number += 1 }
    return "\(self)-\(number)"
  }
}
