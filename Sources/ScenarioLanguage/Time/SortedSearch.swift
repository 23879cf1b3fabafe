extension Array {
  /// Where the first element stands for which `isPast` holds; the number of elements where it holds for none. It has to
  /// hold for all that stand behind one for which it holds.
  func sortedIndex(where isPast: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isPast(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
