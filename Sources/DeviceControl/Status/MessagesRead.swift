import CastProtocol
import ScenarioLanguage

/// A message that `raw` fields are read from; the raw value is the part of the path behind `raw`.
enum WholeMessage: String, CaseIterable, Sendable {
  case media, receiver

  var path: any WritableKeyPath<DeviceSnapshot, MessageContent?> & Sendable {
    switch self {
    case .media: \.mediaMessage
    case .receiver: \.receiverMessage
    }
  }

  /// The messages that fields are read from.
  static func all(of paths: [FieldPath]) -> [WholeMessage] {
    allCases.filter { message in paths.contains { $0.parts.starts(with: ["raw", message.rawValue]) } }
  }
}

/// Makes trees of the messages that a condition reads fields from: to read many fields of a long message then costs as
/// much as to read one.
struct MessagesRead: Sendable {
  private let ofView: [WholeMessage]
  /// Of the view when the last action started, which only `changed` looks at.
  private let ofBaseline: [WholeMessage]
  /// The baseline's messages, as they came and as trees: the same one is compared with many statuses.
  private var known: [WholeMessage: (text: String, tree: MessageContent)] = [:]

  init(for condition: Condition) {
    let leaves = condition.leaves
    ofView = WholeMessage.all(of: leaves.map(\.path))
    ofBaseline = WholeMessage.all(of: leaves.filter(\.matcher.isAboutChange).map(\.path))
  }

  mutating func read(_ view: StatusView) -> StatusView {
    if ofView.isEmpty { return view }
    var view = view
    for which in ofView {
      guard case .text? = view.snapshot[keyPath: which.path] else { continue }
      view.snapshot[keyPath: which.path] = view.snapshot[keyPath: which.path].map { .json($0.json) }
    }
    for which in ofBaseline {
      guard case .text(let text)? = view.baseline?.snapshot[keyPath: which.path] else { continue }
      if known[which]?.text != text { known[which] = (text, .json(MessageContent.text(text).json)) }
      view.baseline?.snapshot[keyPath: which.path] = known[which]?.tree
    }
    return view
  }
}
