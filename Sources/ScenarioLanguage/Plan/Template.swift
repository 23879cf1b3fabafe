extension Plan {
  /// Text with holes that only a run can fill: `device.name`, `attempt`, `run.id`, or a saved value.
  package struct Template: Codable, Hashable, Sendable {
    package enum Part: Codable, Hashable, Sendable {
      case text(String)
      case value(String)
    }
    package var parts: [Part]

    package init(_ parts: [Part]) { self.parts = parts }
  }
}

extension Plan.Template {
  /// The text as a document writes it.
  package var source: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .value(let name): "${\(name)}"
      }
    }.joined()
  }
}
