/// What a page has besides what it tells: its style and its script.
///
/// The policy of a page allows these two alone, by their hashes: a test has them.
enum PageAssets {
  static let styleHash = "sha256-uo8E7VSsDbofHJ8lPMSTr396O3ZmRiZExG6Gl9cuB78="
  static let scriptHash = "sha256-eIe4bRuotud2L2OwH+hehmaY/tP/ZsVRPBfTAlDFyz0="
}
