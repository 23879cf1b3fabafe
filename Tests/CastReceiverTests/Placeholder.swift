import Testing
@testable import CastReceiver
