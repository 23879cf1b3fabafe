/// A large optional value on the heap, which copies of its owner share: histories keep many snapshots, and most of what
/// they say is the same.
@propertyWrapper
package struct Shared<Wrapped: Hashable & Sendable>: Hashable, Sendable {
  private final class Storage: Sendable {
    /// Never `nil`; optional so that it is read in place.
    let value: Wrapped?

    init(_ value: Wrapped) { self.value = value }
  }

  private var storage: Storage?

  package init(wrappedValue: Wrapped?) { storage = wrappedValue.map(Storage.init) }

  package var wrappedValue: Wrapped? {
    _read { if let storage { yield storage.value } else { yield nil } }
    set { storage = newValue.map(Storage.init) }
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.storage === right.storage || left.wrappedValue == right.wrappedValue
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
