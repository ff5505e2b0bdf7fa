// SPDX-License-Identifier: MIT
// The credentials of resource servers.

/// The credentials with which resource servers introspect tokens.
enum ResourceServer {
  /// The secret of all resource servers, with any client ID.
  static let secret = "resource-server"
}
