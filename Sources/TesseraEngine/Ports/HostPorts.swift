// SPDX-License-Identifier: MIT
// The ports that a host application implements itself.

/// The implementations of a host application that replace those of the library.
///
/// ```swift
/// configuration.host.clock = SimulatedClock()
/// ```
///
/// A store of the host application is a ``StoreConfiguration``.
public struct HostPorts: Sendable {
  /// The clock; `nil` for the system's clocks.
  public var clock: (any HostClock)?
  /// The browser; `nil` for the user's browser and the web view of this library.
  public var browser: (any Browser)?
  /// The HTTP client in the form of the engine; `nil` for libcurl.
  package var transport: (any Transport)?

  /// Creates ports that the library implements.
  public init() {}
}
