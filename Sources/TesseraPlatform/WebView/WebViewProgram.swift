// SPDX-License-Identifier: MIT
// The process of a web view: what it is asked, what it tells, how it ends.

import CTesseraSystem
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A web view that runs until it is released.
final class WebViewProgram {
  /// What it is asked to do.
  struct Request {
    /// The address of the provider's page.
    let page: String
    /// The redirect URI, at which it ends.
    let redirectURI: String
    /// Whether it forgets the cookies of the page.
    let isEphemeral: Bool
    /// How the application reaches the network, where its settings or its environment say so.
    let network: NetworkSettings

    /// What is written to it; addresses have no control characters.
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

  /// What was heard.
  enum Event {
    case message(WebViewMessage)
    /// It has ended, with a status, 128 and more for a signal; nil where that is not known.
    case ended(Int32?)
    /// It could not be started, or said what no web view says.
    case broken(String)
  }

  private let channel: Int32
  private let status: Int32
  private var lines = WebViewLines()
  private var rest: ArraySlice<UInt8>
  private var isSilent = false

  /// Starts it with this process's environment, and nothing else of it.
  init(path: String, _ request: Request) throws(TesseraError) {
    rest = request.bytes[...]
    var ends: (status: Int32, channel: Int32) = (-1, -1)
    let name = strdup(path)
    defer { free(name) }
    let code = [name, nil].withUnsafeBufferPointer { arguments in
      ctessera_program_start(
        path, arguments.baseAddress, ctessera_program_environment(), &ends.status, &ends.channel)
    }
    guard code == 0 else {
      throw TesseraError(
        .retryLater, .webviewFailed, "The web view could not be started: \(words(code)).")
    }
    (status, channel) = ends
  }

  deinit {
    ctessera_program_leave(status)
    ctessera_program_leave(channel)
  }

  /// What to poll, and for what.
  var entries: [pollfd] {
    let wish = Int16(POLLIN) | (rest.isEmpty ? 0 : Int16(POLLOUT))
    return [pollfd(fd: status, events: Int16(POLLIN), revents: 0)]
      + (isSilent ? [] : [pollfd(fd: channel, events: wish, revents: 0)])
  }

  /// What has happened; to be asked when something can be read or written.
  func events() -> [Event] {
    send()
    var found = receive()
    guard !lines.isBroken else { return found + [.broken("it said what no web view says")] }
    var problem: Int32 = 0
    let end = ctessera_program_read(status, &problem)
    if problem != 0 { return [.broken("it could not be started: \(words(problem))")] }
    guard end != CTESSERA_PROGRAM_WAITS else { return found }
    // What it said before its end is there by now.
    found += receive()
    return found + [.ended(end == CTESSERA_PROGRAM_RUNS ? nil : end)]
  }

  private func send() {
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        ctessera_loopback_send(channel, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private func receive() -> [Event] {
    var found: [Event] = []
    while !isSilent, !lines.isBroken, found.count < 64 {
      let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer in
        let count = read(channel, buffer.baseAddress, buffer.count)
        if count > 0 { found += lines.messages(of: buffer.prefix(count)).map(Event.message) }
        return count
      }
      if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { isSilent = true }
      if count <= 0 { break }
    }
    return found
  }
}

private func words(_ code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
