import SwiftProtobuf

extension BinaryDecodingOptions {
  /// For bytes from a peer: nested no deeper than our messages are, unknown fields not kept. Source:
  /// docs/security.md S3.
  static var network: BinaryDecodingOptions {
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = 10
    options.discardUnknownFields = true
    return options
  }
}
