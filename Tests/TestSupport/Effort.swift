import Glibc

/// How much of what is random is tried: as much as is worth a developer's wait, and `SHOWCALLER_EFFORT` times that where
/// a machine waits.
package enum Effort {
  package static let factor = getenv("SHOWCALLER_EFFORT").flatMap { Int(String(cString: $0)) }.map { max(1, $0) } ?? 1
}
