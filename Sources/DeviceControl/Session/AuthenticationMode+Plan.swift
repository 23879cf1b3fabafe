package import CastClient
package import ScenarioLanguage

extension AuthenticationMode {
  /// What a document asks for, in the client's terms.
  package init(_ asked: Plan.DeviceRequirements.Authentication) {
    self =
      switch asked {
      case .none: .none
      case .report: .report
      case .require: .require
      case .pin: .pin
      }
  }
}

extension Plan.DeviceRequirements.Authentication {
  /// What a command line asks for, in the language's terms.
  package init(_ mode: AuthenticationMode) {
    self =
      switch mode {
      case .none: .none
      case .report: .report
      case .require: .require
      case .pin: .pin
      }
  }
}
