import CastTransport
import Foundation

/// The hash of a script or a style as policies of pages write it.
package enum PageHash {
  /// `sha256-…`; `nil` where the library refuses.
  package static func of(_ text: String) -> String? {
    Digest.sha256Bytes(Array(text.utf8)).map { "sha256-" + Data($0).base64EncodedString() }
  }
}
