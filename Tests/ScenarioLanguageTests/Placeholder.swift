import Testing
@testable import ScenarioLanguage
