import Testing
@testable import CastClient
