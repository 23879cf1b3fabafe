/// Whether a part of the language works in this version.
package enum Support: Sendable {
  case built
  /// Known, type-checked and refused by name (K110).
  case later
}
