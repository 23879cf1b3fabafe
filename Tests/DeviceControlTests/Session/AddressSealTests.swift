import Testing

@testable import DeviceControl

@Suite struct AddressSealTests {
  private static let address = "https://e.com/a.jpg?key=canary-canary"

  @Test("An address with a secret is stored so that it is known again, by whoever has the key, and not readable")
  func sealed() throws {
    let seal = AddressSeal(key: Array("of this computer".utf8))
    let stored = try #require(seal.stored(Self.address, holdsSecret: true))
    #expect(!stored.contains("canary") && !stored.contains("e.com"))
    #expect(seal.fits(Self.address, stored))
    #expect(!seal.fits(Self.address + "1", stored) && !seal.fits(stored, stored))
    #expect(!AddressSeal(key: Array("of another one".utf8)).fits(Self.address, stored))
    #expect(AddressSeal.none.stored(Self.address, holdsSecret: true) == nil)
    #expect(!AddressSeal.none.fits(Self.address, stored))
  }

  @Test("Any other address is stored as it is")
  func plain() {
    #expect(AddressSeal.none.stored(Self.address, holdsSecret: false) == Self.address)
    #expect(AddressSeal.none.fits(Self.address, Self.address))
  }
}
