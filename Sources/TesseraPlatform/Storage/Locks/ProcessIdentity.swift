// SPDX-License-Identifier: MIT
// Process identity that distinguishes a process from a later one with the same ID.

import CLibrary

/// A process ID with the low bits of the process's start time.
///
/// Both fit into the offset of a lock. The kernel thus records them, and no file contents are needed.
struct ProcessIdentity: Equatable {
  /// The size of a process ID, which is below 2^22 on Linux (`PID_MAX_LIMIT`).
  static let numberBits = 22
  /// The size of the start time, in bits of 10 ms ticks.
  ///
  /// A reused ID has the same value with a probability of 1 in 8192.
  static let startBits = 13

  /// The process ID.
  let number: Int32
  /// The low bits of the start time; 0 if the system does not report it.
  let start: UInt16

  init(number: Int32, start: UInt16) {
    self.number = number
    self.start = start
  }

  /// The identity of the calling process.
  static var current: ProcessIdentity {
    let number = getpid()
    return ProcessIdentity(number: number, start: ProcessState(of: number)?.start ?? 0)
  }

  /// Whether the process has certainly ended or is a zombie.
  var hasEnded: Bool {
    if let state = ProcessState(of: number) { return state.isDead || state.start != start }
    return kill(number, 0) != 0 && errno == ESRCH
  }

  /// Whether certainly no process with this ID is alive.
  static func isFree(_ number: Int32) -> Bool {
    if let state = ProcessState(of: number) { return state.isDead }
    return kill(number, 0) != 0 && errno == ESRCH
  }

  /// Returns the age of a process, in nanoseconds; nil if the system does not report it.
  static func nanosecondsSinceStart(of number: Int32) -> UInt64? {
    #if os(Linux)
      let perSecond = UInt64(clamping: sysconf(Int32(_SC_CLK_TCK)))
      guard let ticks = ProcessState(of: number)?.ticks, perSecond > 0 else { return nil }
      let start = ticks.multipliedReportingOverflow(by: 1_000_000_000 / perSecond)
      let now = nanoseconds(of: CLOCK_BOOTTIME)
      return start.overflow || start.partialValue > now ? nil : now - start.partialValue
    #else
      return nil
    #endif
  }

  /// The ID of the PID namespace, which differs between containers; "-" if the system does not report it.
  static var namespace: String {
    var buffer = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/self/ns/pid", &buffer, buffer.count)
    guard count > 0 else { return "-" }
    let digits = buffer.prefix(count).map(UInt8.init(bitPattern:))
      .filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits.isEmpty ? "-" : String(decoding: digits, as: UTF8.self)
  }
}

/// The state of a process (proc_pid_stat(5)).
private struct ProcessState {
  let isDead: Bool
  /// The start time, in ticks since boot.
  let ticks: UInt64
  /// The low bits of the start time.
  var start: UInt16 { UInt16(truncatingIfNeeded: ticks) & (1 << ProcessIdentity.startBits - 1) }

  init?(of number: Int32) {
    #if os(Linux)
      let descriptor = openFile("/proc/\(number)/stat", O_RDONLY)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = read(descriptor, &bytes, bytes.count)
      // The second field is the command name in parentheses, which may contain any character.
      guard count > 0, let name = bytes.prefix(count).lastIndex(of: UInt8(ascii: ")")) else {
        return nil
      }
      let fields = bytes[(name + 1)..<count].split(separator: UInt8(ascii: " "))
      // The third field is the state, the 22nd the start time in ticks since boot.
      guard let state = fields.first?.first, fields.count > 19,
        let ticks = UInt64(String(decoding: fields[19], as: UTF8.self))
      else { return nil }
      isDead = [UInt8(ascii: "Z"), UInt8(ascii: "X")].contains(state)
      self.ticks = ticks
    #else
      return nil
    #endif
  }
}
