/// What a page has besides what it tells: its style and its script.
///
/// The policy of a page allows these two alone, by their hashes: a test has them.
enum PageAssets {
  static let styleHash = "sha256-CZgJ+PXyIJgQqWkbNFBX9bP32RywGKhTt/pIQjVnQ30="
  static let scriptHash = "sha256-eIe4bRuotud2L2OwH+hehmaY/tP/ZsVRPBfTAlDFyz0="
}
