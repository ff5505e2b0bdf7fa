// SPDX-License-Identifier: MIT
// The wait for the one answer: everything that may bring it, polled on the calling thread.

import TesseraEngine
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A sign-in that waits for its answer.
struct AnswerWait {
  /// What is listened to at the redirect URI, or for it, and what is said there; nil for a redirect URI elsewhere.
  var place: (listener: any AnswerListener, conversation: any AnswerConversation)?
  /// What a person pastes.
  var lines: PastedLines
  /// Ends the wait from another thread.
  let wake: WakePipe
  let time: any TimeSource

  private var visitors = LoopbackVisitors()
  /// The reading of the clock at which nobody waits any longer for the browser to fetch its page.
  private var farewell: UInt64 = .max

  /// How long a browser may take to fetch the page after the answer.
  private static let farewellNanoseconds: UInt64 = 2_000_000_000
  /// The longest single wait, so that the sleep of the machine is noticed.
  private static let longestWait: UInt64 = 1_000_000_000

  init(
    _ place: (listener: any AnswerListener, conversation: any AnswerConversation)?,
    lines: PastedLines, wake: WakePipe, time: any TimeSource
  ) {
    self.place = place
    self.lines = lines
    self.wake = wake
    self.time = time
  }

  /// Waits until an answer is there, a line is pasted, or a program can tell something.
  ///
  /// - Throws: `cancelled` at the limits, unless the answer is there: it is good for one use only.
  mutating func next(
    _ program: StartedProgram?, within limits: CallLimits
  ) throws(TesseraError) -> Event {
    while true {
      let now = time.monotonicNanoseconds
      if let answer = answer(now) { return .answer(answer) }
      do throws(TesseraError) {
        try limits.check(time)
      } catch {
        if let answer = place?.conversation.answer { return .answer(answer) }
        throw error
      }
      let ready = poll(program, now, limits)
      attend(ready)
      if let program, ready.contains(program.descriptor) { return .program }
      if let descriptor = lines.descriptor, ready.contains(descriptor) {
        return .lines(lines.read())
      }
    }
  }

  /// What happened.
  enum Event {
    case answer(AuthorizationAnswer)
    case lines([String])
    case program
  }

  /// The answer, once the browser has its page or does not want it.
  private mutating func answer(_ now: UInt64) -> AuthorizationAnswer? {
    guard let conversation = place?.conversation, let answer = conversation.answer else {
      return nil
    }
    if farewell == .max { farewell = now.adding(AnswerWait.farewellNanoseconds) }
    let isOver = conversation.isOver && !visitors.isSending
    return isOver || now >= farewell ? answer : nil
  }

  private mutating func attend(_ ready: Set<Int32>) {
    guard let listener = place?.listener, var conversation = place?.conversation else {
      return
    }
    let now = time.monotonicNanoseconds
    visitors.attend(ready, now: now, &conversation)
    for descriptor in listener.descriptors where ready.contains(descriptor) {
      visitors.welcome(from: descriptor, of: listener, now: now, &conversation)
    }
    place = (listener, conversation)
  }

  /// The descriptors at which something has happened.
  private func poll(_ program: StartedProgram?, _ now: UInt64, _ limits: CallLimits) -> Set<Int32> {
    var entries = [wake.descriptor, lines.descriptor, program?.descriptor].compactMap { $0 }
      .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let isPaused = now < visitors.pausedUntil
    if !isPaused {
      entries += (place?.listener.descriptors ?? []).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
    }
    entries += visitors.connections.map {
      pollfd(fd: $0.descriptor, events: $0.events, revents: 0)
    }
    let end = min(farewell, visitors.nextEnd, isPaused ? visitors.pausedUntil : .max)
    let milliseconds = limits.pollMilliseconds(
      atMost: min(end > now ? end - now : 0, AnswerWait.longestWait), time)
    guard pollDescriptors(&entries, nfds_t(entries.count), milliseconds) > 0 else { return [] }
    return Set(entries.lazy.filter { $0.revents != 0 }.map(\.fd))
  }
}

/// `poll`, which inside ``AnswerWait`` has another meaning.
private func pollDescriptors(
  _ entries: inout [pollfd], _ count: nfds_t, _ milliseconds: Int32
) -> Int32 {
  poll(&entries, count, milliseconds)
}
