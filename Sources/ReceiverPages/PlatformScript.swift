import CastProtocol

/// The script that each page gets before its own: `cast.__platform__`, as receivers of Google's SDK ask for it.
///
/// Source: docs/protocol.md 12. It speaks to us by a function that the debugging protocol puts into the page, and we to it
/// by one of its own, so that no port is open and no page but this one can take part.
enum PlatformScript {
  /// The function by which the page speaks to us; the script takes it away before the page's own scripts run.
  static let binding = "__showcallerTell"

  /// What the script tells.
  enum Word: Hashable, Sendable {
    case opened, closed
    case sent(String)

    init?(_ payload: String) {
      switch payload {
      case "open": self = .opened
      case "close": self = .closed
      default:
        guard payload.hasPrefix("send ") else { return nil }
        self = .sent(String(payload.dropFirst("send ".count)))
      }
    }
  }

  /// Hands the page a text of the channel.
  static func delivery(_ text: String) -> String {
    "globalThis.__showcallerHear && globalThis.__showcallerHear(\(JSONValue.string(text).serialized()))"
  }

  static let source = """
    (() => {
      const tell = globalThis.\(binding);
      delete globalThis.\(binding);
      if (globalThis !== globalThis.top || !tell) return;
      let hear = null;
      Object.defineProperty(globalThis, '__showcallerHear', { value: text => { if (hear) hear(text); } });
      const values = {
        'device-capabilities': {
          display_supported: true, hi_res_audio_supported: false, touch_input_supported: false,
          remote_control_input_supported: false, bluetooth_supported: false, focus_state_supported: false
        },
        'is-remote-control-mode-enabled': false,
        'receiver-flags': {}
      };
      const plain = type => {
        const [name, ...parameters] = String(type).split(';');
        const codecs = parameters.filter(p => /^ *codecs *=/.test(p));
        return [name.trim(), ...codecs.map(c => c.trim())].join('; ').replace(/codecs *= *([^"].*)/, 'codecs="$1"');
      };
      const platform = {
        queryPlatformValue: key => values[key],
        canDisplayType: type => {
          if (/eotf *= *smpte2084|dvh/.test(type)) return false;
          const name = plain(type);
          if (globalThis.MediaSource && MediaSource.isTypeSupported(name)) return true;
          return document.createElement('video').canPlayType(name) !== '';
        },
        setTouchInputSupport: () => Promise.resolve(),
        accessibility: {
          getAccessibilitySettings: () => Promise.resolve({ isScreenReaderEnabled: false, isColorInversionEnabled: false })
        },
        display: { getHdcpVersion: () => Promise.reject(new Error('no HDCP')) },
        channel: {
          open(opened, heard) {
            hear = heard;
            tell('open');
            Promise.resolve().then(() => opened(true));
          },
          close(closed) {
            hear = null;
            tell('close');
            if (closed) closed(true);
          },
          send(text) { tell('send ' + text); }
        }
      };
      globalThis.cast = globalThis.cast || {};
      globalThis.cast.__platform__ = platform;
    })();
    """
}
