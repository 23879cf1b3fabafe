import Testing
@testable import CastTransport
