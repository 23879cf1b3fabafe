import Foundation

/// Asks a web server with a client that is not ours.
enum WebFetch {
  struct Answer: Sendable {
    /// 0 where nobody answers.
    var status: Int
    var type: String
    var body: String
  }

  private static let program = """
    import sys, urllib.request, urllib.error
    method, address, *headers = sys.argv[1:]
    request = urllib.request.Request(address, method=method, headers=dict(h.split(": ", 1) for h in headers))
    try:
        answer = urllib.request.urlopen(request, timeout=10)
    except urllib.error.HTTPError as error:
        answer = error
    except OSError:
        print(0)
        sys.exit()
    print(answer.status, answer.headers["Content-Type"])
    sys.stdout.write(answer.read().decode("utf-8", "replace"))
    """

  /// Sends one request.
  static func ask(_ method: String = "GET", _ address: String, _ headers: String...) async throws -> Answer {
    let running = try Running(
      URL(filePath: "/usr/bin/env"), ["python3", "-c", program, method, address] + headers, environment: [:],
      in: Showcaller.root, limit: 30)
    let output = try await running.finish().output
    let lines = output.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let words = (lines.first ?? "").split(separator: " ", maxSplits: 1)
    return Answer(
      status: words.first.flatMap { Int($0) } ?? -1, type: words.count > 1 ? String(words[1]) : "",
      body: lines.count > 1 ? String(lines[1]) : "")
  }
}
