// SPDX-License-Identifier: MIT
// Delivery of a redirect URL to the process that waits for it.

import CLibrary
import CTesseraSystem
package import TesseraEngine
import TesseraWire

/// The sending side of redirect delivery.
package struct RedirectDelivery {
  private let directories: [RendezvousDirectory]
  private let time: any TimeSource

  /// The timeout for a delivery without a deadline, in milliseconds: the waiting process may be busy.
  private static let timeoutMilliseconds: Int64 = 10_000
  private static let pauseMilliseconds: Int32 = 20

  package init(directories: [RendezvousDirectory] = RendezvousDirectory.all, time: any TimeSource) {
    self.directories = directories
    self.time = time
  }

  /// Delivers a URL to the sign-in that waits for it.
  ///
  /// - Throws: `stateMismatch` if no process waits for it, `cancelled` at the limits.
  package func deliver(redirectURL text: String, within limits: CallLimits) throws(TesseraError) {
    let limits = limits.bounded(milliseconds: RedirectDelivery.timeoutMilliseconds, time)
    try limits.check(time)
    guard let address = DeliveredRedirectURL(text) else {
      throw TesseraError(
        .fixRequest, .stateMismatch,
        "The URL is not a response to a sign-in: it has no state or several, or is too long.")
    }
    guard let wake = WakePipe() else { throw .noDescriptorLeft }
    let offerEverywhere = { () throws(TesseraError) in
      do throws(TesseraError) {
        for directory in directories where try offer(address, at: directory, limits, wake) {
          return
        }
      } catch  where error.code == .deadlineExceeded {
        throw .deliveryTimedOut
      }
      throw TesseraError(
        .fixRequest, .stateMismatch,
        """
        No application of this user waits for this URL: the sign-in has ended, was started by another user, or is \
        completed by the application itself. The URL was not redeemed and can be delivered again.
        """)
    }
    try limits.waking(wake, offerEverywhere)
  }

  /// Offers a URL to the socket in one directory.
  ///
  /// - Returns: Whether the process that listens there accepted it.
  private func offer(
    _ address: DeliveredRedirectURL, at directory: RendezvousDirectory, _ limits: CallLimits,
    _ wake: WakePipe
  ) throws(TesseraError) -> Bool {
    guard let folder = try directory.open(creating: false) else { return false }
    defer { close(folder) }
    let name = RendezvousDirectory.name(of: address.state)
    var connection = ctessera_rendezvous_connect(directory.path, folder, name)
    while connection < 0, errno == EAGAIN || errno == EINTR {
      wake.wait(milliseconds: RedirectDelivery.pauseMilliseconds)
      try limits.check(time)
      connection = ctessera_rendezvous_connect(directory.path, folder, name)
    }
    guard connection >= 0 else {
      try TesseraError.checkDescriptors(errno)
      return false
    }
    defer { close(connection) }
    guard ctessera_rendezvous_is_same_user(connection) else { return false }
    try send(DeliveredRedirectHandler.request(address), connection, limits, wake)
    return try status(connection, limits, wake) == DeliveredRedirectHandler.accepted
  }

  private func send(
    _ bytes: [UInt8], _ connection: Int32, _ limits: CallLimits, _ wake: WakePipe
  ) throws(TesseraError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        ctessera_loopback_send(connection, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN || errno == EINTR {
        try wait(for: connection, Int16(POLLOUT), limits, wake)
      } else {
        // The receiver may have replied before it read the whole request.
        return
      }
    }
  }

  /// Reads the status of the reply; 0 if there is none.
  private func status(
    _ connection: Int32, _ limits: CallLimits, _ wake: WakePipe
  ) throws(TesseraError) -> Int {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 512)
    while true {
      let count = read(connection, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer.prefix(count)
        if let status = DeliveredRedirectHandler.status(of: bytes) { return status }
      } else if count < 0, errno == EAGAIN || errno == EINTR {
        try wait(for: connection, Int16(POLLIN), limits, wake)
      } else {
        return 0
      }
    }
  }

  private func wait(
    for connection: Int32, _ events: Int16, _ limits: CallLimits, _ wake: WakePipe
  ) throws(TesseraError) {
    try limits.check(time)
    var entries = [
      pollfd(fd: connection, events: events, revents: 0),
      pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = limits.pollMilliseconds(time)
    _ = poll(&entries, nfds_t(entries.count), milliseconds)
    try limits.check(time)
  }
}

extension TesseraError {
  /// The error for a process that listens for the URL but does not respond.
  fileprivate static var deliveryTimedOut: TesseraError {
    TesseraError(
      .cancelled, .deadlineExceeded,
      "The application that waits for this URL does not respond: it may be stopped or busy, and may accept the URL later. "
        + "Otherwise resume it, or end it and sign in again.")
  }
}
