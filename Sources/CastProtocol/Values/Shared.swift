/// A large optional value on the heap, which copies of its owner share: histories keep many snapshots, and most of what
/// they say is the same.
///
/// `status.media` copies the value with all its members; `status.$media?.value.duration` reads the one where it is.
@propertyWrapper
package struct Shared<Wrapped: Hashable & Sendable>: Hashable, Sendable {
  /// Where the value is; never changed.
  package final class Storage: Sendable {
    package let value: Wrapped

    fileprivate init(_ value: Wrapped) { self.value = value }
  }

  package internal(set) var projectedValue: Storage?

  package init(wrappedValue: Wrapped?) { projectedValue = wrappedValue.map(Storage.init) }

  package var wrappedValue: Wrapped? {
    get { projectedValue?.value }
    set { projectedValue = newValue.map(Storage.init) }
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.projectedValue === right.projectedValue || left.wrappedValue == right.wrappedValue
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
