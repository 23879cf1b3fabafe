import Testing
@testable import CastProtocol
