// SPDX-License-Identifier: MIT
// The process of a web view: its request, its events and its end.

import CLibrary
import CTesseraSystem
import TesseraEngine

/// A running web view, which is terminated when this object is released.
final class WebViewProgram {
  /// The request that is written to the process.
  struct Request {
    /// The URL of the provider's page.
    let page: String
    /// The redirect URI, at which the sign-in ends.
    let redirectURI: String
    /// Whether the cookies of the page are discarded.
    let isEphemeral: Bool
    /// The network settings of the application.
    let network: NetworkSettings

    /// The serialized request.
    ///
    /// Values with control characters are left out; valid URLs contain none.
    var bytes: [UInt8] {
      let fields = [
        ("page", page), ("redirect", redirectURI),
        ("session", isEphemeral ? "ephemeral" : "shared"),
        ("trust", TrustedCertificates(network).file), ("proxy", network.proxy),
        ("direct", network.noProxy),
      ]
      var text = "tessera-webview 1\n"
      for case (let name, let value?) in fields
      where !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
        text += "\(name) \(value)\n"
      }
      return Array((text + "\n").utf8)
    }
  }

  /// An event of the process.
  enum Event {
    case message(WebViewMessage)
    /// The process exited with a status, 128 or more for a signal; nil if the status is not known.
    case ended(Int32?)
    /// The process could not be started or sent an invalid message.
    case broken(String)
  }

  private let channel: Int32
  private let status: Int32
  private var lines = WebViewLines()
  private var unsentBytes: ArraySlice<UInt8>
  private var isChannelClosed = false

  /// Starts the program with the environment of this process.
  ///
  /// It inherits no descriptors, directory or signal dispositions.
  init(path: String, _ request: Request) throws(TesseraError) {
    unsentBytes = request.bytes[...]
    var ends: (status: Int32, channel: Int32) = (-1, -1)
    let name = strdup(path)
    defer { free(name) }
    guard name != nil else {
      throw TesseraError(
        .retryLater, .webviewFailed, "The web view could not be started: memory ran out.")
    }
    let code = [name, nil].withUnsafeBufferPointer { arguments in
      ctessera_program_start(
        path, arguments.baseAddress, ctessera_program_environment(), &ends.status, &ends.channel)
    }
    guard code == 0 else {
      throw TesseraError(
        .retryLater, .webviewFailed,
        "The web view could not be started: \(errorText(code)). Try again.")
    }
    (status, channel) = ends
  }

  deinit {
    ctessera_program_close(status)
    ctessera_program_close(channel)
  }

  /// The descriptors to poll.
  var entries: [pollfd] {
    let channelEvents = Int16(POLLIN) | (unsentBytes.isEmpty ? 0 : Int16(POLLOUT))
    return [pollfd(fd: status, events: Int16(POLLIN), revents: 0)]
      + (isChannelClosed ? [] : [pollfd(fd: channel, events: channelEvents, revents: 0)])
  }

  /// Returns the events since the last call.
  ///
  /// Call it when a descriptor is ready.
  func events() -> [Event] {
    send()
    var found = receive()
    guard !lines.isBroken else { return found + [.broken("it sent an invalid message")] }
    var problem: Int32 = 0
    let end = ctessera_program_read(status, &problem)
    if problem != 0 { return [.broken("it could not be started: \(errorText(problem))")] }
    guard end != CTESSERA_PROGRAM_WAITS else { return found }
    // The process has exited, so all its output is available.
    found += receive()
    return found + [.ended(end == CTESSERA_PROGRAM_RUNS ? nil : end)]
  }

  private func send() {
    while !unsentBytes.isEmpty {
      let count = unsentBytes.withUnsafeBytes {
        ctessera_loopback_send(channel, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return }
      unsentBytes = unsentBytes.dropFirst(count)
    }
  }

  private func receive() -> [Event] {
    var found: [Event] = []
    while !isChannelClosed, !lines.isBroken, found.count < 64 {
      let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer in
        let count = read(channel, buffer.baseAddress, buffer.count)
        if count > 0 { found += lines.messages(of: buffer.prefix(count)).map(Event.message) }
        return count
      }
      if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { isChannelClosed = true }
      if count <= 0 { break }
    }
    return found
  }
}

private func errorText(_ code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
