// SPDX-License-Identifier: MIT
// A process that no later one with the same number is taken for.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process: its number, and the end of the time at which it started.
///
/// Both fit into the offset of a lock, so that the kernel keeps them and nothing has to be written.
struct ProcessIdentity: Equatable {
  /// Numbers are below 2^22 on Linux (`PID_MAX_LIMIT`).
  static let numberBits = 22
  /// In ticks of 10 ms: a process that gets the same number has the same end once in 8192 times.
  static let startBits = 13

  /// The process's number.
  let number: Int32
  /// The last bits of its start; 0 where the system does not tell.
  let start: UInt16

  init(number: Int32, start: UInt16) {
    self.number = number
    self.start = start
  }

  /// The calling process.
  static var current: ProcessIdentity {
    let number = getpid()
    return ProcessIdentity(number: number, start: ProcessState(of: number)?.start ?? 0)
  }

  /// Whether it is certain that the process has ended, or has nothing to do but to be buried.
  var hasEnded: Bool {
    if let state = ProcessState(of: number) { return state.isDead || state.start != start }
    return kill(number, 0) != 0 && errno == ESRCH
  }

  /// Whether it is certain that no process with a number lives, whenever it began.
  static func isFree(_ number: Int32) -> Bool {
    if let state = ProcessState(of: number) { return state.isDead }
    return kill(number, 0) != 0 && errno == ESRCH
  }

  /// For how long the process with a number has been alive, in nanoseconds; nil where the system does not tell.
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

  /// Tells the numbers of one container's processes from another's; "-" where the system does not tell.
  static var namespace: String {
    var buffer = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/self/ns/pid", &buffer, buffer.count)
    guard count > 0 else { return "-" }
    let digits = buffer.prefix(count).map(UInt8.init(bitPattern:))
      .filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits.isEmpty ? "-" : String(decoding: digits, as: UTF8.self)
  }
}

/// What the system tells of a process (proc_pid_stat(5)).
private struct ProcessState {
  let isDead: Bool
  /// When it started, in ticks since the machine was started.
  let ticks: UInt64
  /// The end of that.
  var start: UInt16 { UInt16(truncatingIfNeeded: ticks) & (1 << ProcessIdentity.startBits - 1) }

  init?(of number: Int32) {
    #if os(Linux)
      let descriptor = openFile("/proc/\(number)/stat", O_RDONLY)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = read(descriptor, &bytes, bytes.count)
      // The second field is the program's name in parentheses, and may hold anything.
      guard count > 0, let name = bytes.prefix(count).lastIndex(of: UInt8(ascii: ")")) else {
        return nil
      }
      let fields = bytes[(name + 1)..<count].split(separator: UInt8(ascii: " "))
      // The third field is the state, the 22nd the start in ticks since the machine was started.
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
