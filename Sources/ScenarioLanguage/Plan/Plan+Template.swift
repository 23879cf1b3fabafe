extension Plan {
  package typealias Template = ScenarioLanguage.Template
}
