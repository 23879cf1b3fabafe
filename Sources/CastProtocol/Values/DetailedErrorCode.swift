/// The names of `detailedErrorCode`. Source: docs/protocol.md 5.9.
package enum DetailedErrorCode {
  /// The name of `code`; `nil` for one that has none.
  package static func name(of code: Int) -> String? {
    switch code {
    case 100: "MEDIA_UNKNOWN"
    case 101: "MEDIA_ABORTED"
    case 102: "MEDIA_DECODE"
    case 103: "MEDIA_NETWORK"
    case 104: "MEDIA_SRC_NOT_SUPPORTED"
    case 110: "SOURCE_BUFFER_FAILURE"
    case 200: "MEDIAKEYS_UNKNOWN"
    case 201: "MEDIAKEYS_NETWORK"
    case 202: "MEDIAKEYS_UNSUPPORTED"
    case 203: "MEDIAKEYS_WEBCRYPTO"
    case 300: "NETWORK_UNKNOWN"
    case 301: "SEGMENT_NETWORK"
    case 311: "HLS_NETWORK_MASTER_PLAYLIST"
    case 312: "HLS_NETWORK_PLAYLIST"
    case 313: "HLS_NETWORK_NO_KEY_RESPONSE"
    case 314: "HLS_NETWORK_KEY_LOAD"
    case 315: "HLS_NETWORK_INVALID_SEGMENT"
    case 316: "HLS_SEGMENT_PARSING"
    case 321: "DASH_NETWORK"
    case 322: "DASH_NO_INIT"
    case 331: "SMOOTH_NETWORK"
    case 332: "SMOOTH_NO_MEDIA_DATA"
    case 400: "MANIFEST_UNKNOWN"
    case 411: "HLS_MANIFEST_MASTER"
    case 412: "HLS_MANIFEST_PLAYLIST"
    case 420: "DASH_MANIFEST_UNKNOWN"
    case 421: "DASH_MANIFEST_NO_PERIODS"
    case 422: "DASH_MANIFEST_NO_MIMETYPE"
    case 423: "DASH_INVALID_SEGMENT_INFO"
    case 431: "SMOOTH_MANIFEST"
    case 500: "SEGMENT_UNKNOWN"
    case 600: "TEXT_UNKNOWN"
    case 900: "APP"
    case 901: "BREAK_CLIP_LOADING_ERROR"
    case 902: "BREAK_SEEK_INTERCEPTOR_ERROR"
    case 903: "IMAGE_ERROR"
    case 904: "LOAD_INTERRUPTED"
    case 905: "LOAD_FAILED"
    case 906: "MEDIA_ERROR_MESSAGE"
    // The framework says 999, a documentation page 909.
    case 909, 999: "GENERIC"
    default: nil
    }
  }
}
