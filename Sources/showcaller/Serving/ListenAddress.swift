import ArgumentParser
import Glibc
import Workspace

/// An address of this computer at which the control page listens, as a number: a name may mean another one tomorrow, and
/// what the system makes of `0` is every address.
struct ListenAddress: Hashable, Sendable {
  /// As the system writes it.
  let text: String
  /// Whether it stands for every address of this computer.
  let isUnspecified: Bool

  /// This computer alone.
  static let loopback = ListenAddress(text: "127.0.0.1", isUnspecified: false)

  /// Whether nobody on another computer can reach it.
  var isLoopback: Bool { ["127.0.0.1", "::1"].contains(text) }

  private init(text: String, isUnspecified: Bool) { (self.text, self.isUnspecified) = (text, isUnspecified) }

  /// Reads the value of `--listen`.
  static func read(_ text: String) throws(ValidationError) -> ListenAddress {
    guard let address = ListenAddress(text) else {
      throw ValidationError("it takes an address of this computer, such as 192.168.1.20")
    }
    return address
  }

  /// - Parameter text: `192.168.1.20` or `fd00::20`; anything else is none.
  init?(_ text: String) {
    for family in [AF_INET, AF_INET6] {
      var bytes = [UInt8](repeating: 0, count: 16)
      guard inet_pton(family, text, &bytes) == 1 else { continue }
      var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      guard inet_ntop(family, bytes, &name, socklen_t(name.count)) != nil else { return nil }
      let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // `::ffff:0.0.0.0` is every address, too.
      let isMapped =
        family == AF_INET6 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 255 }
      let number = family == AF_INET ? bytes.prefix(4) : isMapped ? bytes.suffix(4) : bytes[...]
      self.init(text: text, isUnspecified: number.allSatisfy { $0 == 0 })
      return
    }
    return nil
  }

  /// What a browser on another computer may call it.
  var names: [String] {
    let own = isUnspecified ? HealthFacts.addresses + ["localhost"] : [text]
    return own.map { $0.contains(":") ? "[\($0)]" : $0 } + (isLoopback ? ["localhost"] : [])
  }
}
