extension String {
  /// The text with some of its scalars spelled otherwise.
  ///
  /// Programs that read reports know bytes: a mark that a combining character follows, or the line break of `\r\n`, is
  /// a character of its own to Swift, and the mark all the same to them.
  func escapingScalars(_ spelling: (Unicode.Scalar) -> String?) -> String {
    var escaped = ""
    escaped.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      if let spelled = spelling(scalar) { escaped += spelled } else { escaped.unicodeScalars.append(scalar) }
    }
    return escaped
  }
}
