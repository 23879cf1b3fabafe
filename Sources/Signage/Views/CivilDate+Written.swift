package import ScenarioLanguage

extension CivilDate {
  /// A day that is written with its year, such as `2026-12-24`; `nil` for anything else.
  package init?(written text: String) {
    guard let day = try? TimeScalar.date(text), let year = day.year else { return nil }
    self.init(year: year, month: day.month, day: day.day)
  }
}
