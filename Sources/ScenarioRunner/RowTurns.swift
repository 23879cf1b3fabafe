import CastProtocol
import DeviceControl
package import ScenarioLanguage

/// How many rows are run at the same time, of one run or of several.
package struct RowTurns: Sendable {
  package let limit: Int
  let turns: Turns

  /// - Parameter limit: `--jobs`, at least 1.
  package init(limit: Int) {
    self.limit = max(1, limit)
    turns = Turns(limit: limit)
  }
}

extension Plan {
  /// What a row needs, as far as its document says: rows that name the same device wait before either looks for it.
  package var needs: Set<String> {
    var names: Set<String> = []
    // Events of several devices do not say which row they are of.
    if roles.count > 1 { names.insert("several devices") }
    let selectors = roles.isEmpty ? devices?.selectors ?? [device] : roles.map(\.device)
    for selector in selectors.flatMap({ $0.tagged.isEmpty ? [$0] : $0.tagged }) {
      names.insert(Self.need(of: selector))
    }
    return names
  }

  private static func need(of selector: DeviceSelector) -> String {
    if selector.inventoryID != nil || selector.name != nil || selector.host != nil {
      return "asked for \(DeviceName.name(of: nil, selector: selector))"
    }
    if let id = selector.id { return "id \(id.lowercased())" }
    return "like \(selector.nameLike ?? "") \(selector.model ?? "") \(selector.modelLike ?? "") \(selector.tag ?? "")"
  }
}
