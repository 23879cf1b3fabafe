import ScenarioLanguage

/// What comes back from where values were sent, as it may be told, and what it is of.
extension Secrets {
  /// Why something failed, without the values.
  package func hidden(_ failure: StepFailure) -> StepFailure {
    var result = failure
    result.message = hidden(failure.message)
    result.help = failure.help.map { hidden($0) }
    result.wire = failure.wire.map { hidden($0) }
    return result
  }

  /// Whether a text is what was sent for one of the document that holds a secret, also with an earlier value of it.
  package func wasSent(_ text: String, for written: String) -> Bool {
    SecretPlaceholder.occurs(in: written) && text != written && hidden(text) == written
  }
}
