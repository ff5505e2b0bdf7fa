// SPDX-License-Identifier: MIT
// The handle of a sign-in in the browser of the host.

/// The handle of a browser session.
typealias BrowserSessionHandle = Handle<HostBrowserState, Void>

extension Handle where Object == HostBrowserState, Extra == Void {
  /// The magic number of a browser session handle: "TESSBROW" in ASCII.
  static var magicNumber: UInt64 { 0x5445_5353_4252_4F57 }
}
