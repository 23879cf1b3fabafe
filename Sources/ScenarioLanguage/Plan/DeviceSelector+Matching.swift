package import CastProtocol

extension Plan.DeviceSelector {
  /// Whether every given part fits what is known of a device. Names are compared as Unicode text with regard to case;
  /// ids without regard to case and hyphens, as devices write them both ways.
  package func matches(name: String, id: String?, model: String?, address: HostAndPort) -> Bool {
    func isSame(_ wanted: String?, _ value: String?) -> Bool { wanted.map { $0 == value } ?? true }
    func isLike(_ glob: String?, _ value: String?) -> Bool {
      glob.map { glob in value.map { Glob(glob).matches($0) } ?? false } ?? true
    }
    func plain(_ id: String) -> String { id.lowercased().filter { $0 != "-" } }
    func isIt(_ other: Self) -> Bool { other.matches(name: name, id: id, model: model, address: address) }
    return isSame(self.name, name) && isLike(nameLike, name) && isSame(self.id.map(plain), id.map(plain))
      && isSame(self.model, model) && isLike(modelLike, model) && (host.map { $0 == address } ?? true)
      && (kind == .any || kind == Kind(model: model)) && (tag == nil || tagged.contains(where: isIt))
      && !excluded.contains(where: isIt)
  }
}

extension Plan.DeviceSelector.Kind {
  /// Several speakers that play as one are all of one model to discovery.
  package init(model: String?) { self = model == "Google Cast Group" ? .group : .device }
}
