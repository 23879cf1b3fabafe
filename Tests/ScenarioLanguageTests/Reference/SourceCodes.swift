/// The sources that the tests read.
enum SourceCodes {
  /// The folder of the whole project.
  static let project: String = {
    var path = #filePath[...]
    for _ in 0..<4 { path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
    return String(path)
  }()
}
