/// One socket of a receiver, numbered from 1 in the order of arrival.
package struct ConnectionID: RawRepresentable, Hashable, Comparable, Sendable {
  package var rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.rawValue < right.rawValue }
}
