extension String {
  /// The first scalars of what a device said. Characters are no limit: one may have any number of marks.
  package func prefix(scalars limit: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(limit)))
  }
}
