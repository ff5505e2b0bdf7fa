// SPDX-License-Identifier: MIT
// The wait for one authorization response: polls all its sources on the calling thread.

import CLibrary
import TesseraEngine
import TesseraWire

/// A wait for the authorization response of one sign-in.
struct ResponseWait {
  /// The listener for the redirect URI and the handler of its requests.
  ///
  /// Nil if this process cannot listen at the redirect URI.
  var receiver: (listener: any ResponseListener, handler: any RedirectHandler)?
  /// The lines that the user pastes.
  var lines: PastedLines
  /// The pipe with which another thread ends the wait.
  let wake: WakePipe
  let time: any TimeSource

  private var clients = LoopbackConnections()
  /// The monotonic time at which the wait stops, even if the browser has not fetched the final page.
  ///
  /// `.max` until a response is received.
  private var pageDeadline: UInt64 = .max

  /// The time that the browser has to fetch the final page, in nanoseconds.
  private static let pageTimeoutNanoseconds: UInt64 = 2_000_000_000
  /// The maximum duration of one poll, in nanoseconds.
  ///
  /// After the machine slept, the deadline is checked within this time.
  private static let maximumWaitNanoseconds: UInt64 = 1_000_000_000

  init(
    _ receiver: (listener: any ResponseListener, handler: any RedirectHandler)?,
    lines: PastedLines, wake: WakePipe, time: any TimeSource
  ) {
    self.receiver = receiver
    self.lines = lines
    self.wake = wake
    self.time = time
  }

  /// Waits until an authorization response is received, a line is pasted, or the status of the program can be read.
  ///
  /// - Throws: `cancelled` at the limits. A response that was already received is returned instead, because its code can be
  ///   redeemed only once.
  mutating func next(
    _ program: LaunchedProgram?, within limits: CallLimits
  ) throws(TesseraError) -> Event {
    while true {
      let now = time.monotonicNanoseconds
      if let response = response(now) { return .response(response) }
      do throws(TesseraError) {
        try limits.check(time)
      } catch {
        if let response = receiver?.handler.response { return .response(response) }
        throw error
      }
      let ready = poll(program, now, limits)
      serveClients(ready)
      if let program, ready.contains(program.descriptor) { return .program }
      if let descriptor = lines.descriptor, ready.contains(descriptor) {
        return .lines(lines.read())
      }
    }
  }

  /// The reason for which the wait returned.
  enum Event {
    case response(RawAuthorizationResponse)
    case lines([String])
    case program
  }

  /// Returns the authorization response once the browser has fetched the final page, or has had the time to do so.
  private mutating func response(_ now: UInt64) -> RawAuthorizationResponse? {
    guard let handler = receiver?.handler, let response = handler.response else {
      return nil
    }
    if pageDeadline == .max { pageDeadline = now.adding(ResponseWait.pageTimeoutNanoseconds) }
    let isOver = handler.isOver && !clients.isSending
    return isOver || now >= pageDeadline ? response : nil
  }

  private mutating func serveClients(_ ready: Set<Int32>) {
    guard let listener = receiver?.listener, var handler = receiver?.handler else {
      return
    }
    let now = time.monotonicNanoseconds
    clients.serveClients(ready, now: now, &handler)
    for descriptor in listener.descriptors where ready.contains(descriptor) {
      clients.acceptClients(from: descriptor, of: listener, now: now, &handler)
    }
    receiver = (listener, handler)
  }

  /// Polls once and returns the descriptors that are ready.
  private func poll(_ program: LaunchedProgram?, _ now: UInt64, _ limits: CallLimits) -> Set<Int32>
  {
    var entries = [wake.descriptor, lines.descriptor, program?.descriptor].compactMap { $0 }
      .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let isPaused = now < clients.pausedUntil
    if !isPaused {
      entries += (receiver?.listener.descriptors ?? []).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
    }
    entries += clients.connections.map {
      pollfd(fd: $0.descriptor, events: $0.events, revents: 0)
    }
    let end = min(pageDeadline, clients.nextDeadline, isPaused ? clients.pausedUntil : .max)
    let milliseconds = limits.pollMilliseconds(
      atMost: min(end > now ? end - now : 0, ResponseWait.maximumWaitNanoseconds), time)
    guard pollDescriptors(&entries, nfds_t(entries.count), milliseconds) > 0 else { return [] }
    return Set(entries.lazy.filter { $0.revents != 0 }.map(\.fd))
  }
}

/// `poll(2)`.
///
/// Inside ``ResponseWait`` the name refers to the method.
private func pollDescriptors(
  _ entries: inout [pollfd], _ count: nfds_t, _ milliseconds: Int32
) -> Int32 {
  poll(&entries, count, milliseconds)
}
