extension Sequence {
  /// What `make` makes of every element; `nil` where it makes nothing of one. All of them are made, so that all that is
  /// wrong is reported.
  func allOrNil<Value>(_ make: (Element) -> Value?) -> [Value]? {
    var values: [Value] = []
    var isSound = true
    for element in self {
      if let value = make(element) { values.append(value) } else { isSound = false }
    }
    return isSound ? values : nil
  }
}
