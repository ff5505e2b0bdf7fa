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
  /// The HTTP client; `nil` for libcurl.
  ///
  /// The settings of the configuration for a proxy and a CA file must be `nil`: they belong to libcurl.
  public var transport: (any HostTransport)?
  /// The observer of the metrics; `nil` for none.
  public var observer: (any MetricsObserver)?

  /// Creates ports that the library implements.
  public init() {}
}
