// SPDX-License-Identifier: MIT
// Detection of the end of the program that reads the token. It does not end its helpers.

import Tessera

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread that cancels a call when the program that reads the token ends.
///
/// Its end closes the other end of standard output. Git runs helpers from a process that outlives the one of the user, so
/// its processes are watched, too.
enum CallerMonitor {
  /// The interval between two checks of the processes, in milliseconds.
  private static let interval: Int32 = 250

  /// Starts the thread, which blocks all signals.
  ///
  /// Without another thread, the end of the caller is not detected.
  static func start() -> Cancellation {
    let cancellation = Cancellation()
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = Unmanaged.passRetained(cancellation)
    var thread = pthread_t()
    if pthread_create(&thread, nil, body, context.toOpaque()) == 0 {
      pthread_detach(thread)
    } else {
      context.release()
    }
    return cancellation
  }

  private static let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let context = $0 else { return nil }
    let cancellation = Unmanaged<Cancellation>.fromOpaque(context).takeRetainedValue()
    let callers = CallerProcesses(named: "git")
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    // Without requested events, only an error or the end of a connection is reported.
    while poll(&output, 1, interval) <= 0, callers.areRunning {}
    cancellation.cancel()
    return nil
  }
}

/// The ancestors of this process that run a program, with the shells between them.
private struct CallerProcesses {
  /// The processes from this one to the first one of the program.
  private let chain: [pid_t]

  private static let shells: Set<String> = ["sh", "bash", "dash"]

  /// Finds the ancestors; none on systems without /proc.
  init(named name: String) {
    var chain = [getpid()]
    var length = 1
    while let last = chain.last, let parent = CallerProcesses.status(of: last)?.parent,
      let program = CallerProcesses.status(of: parent)?.program
    {
      let isCaller = program.hasPrefix(name)
      guard isCaller || CallerProcesses.shells.contains(program) else { break }
      chain.append(parent)
      // A shell is part of the chain only if the program started it.
      if isCaller { length = chain.count }
    }
    self.chain = Array(chain.prefix(length))
  }

  /// Whether each process still has the same parent.
  ///
  /// The system assigns another parent when a parent ends.
  var areRunning: Bool {
    zip(chain, chain.dropFirst()).allSatisfy { CallerProcesses.status(of: $0)?.parent == $1 }
  }

  /// Returns the program and the parent of a process (proc_pid_stat(5)).
  private static func status(of process: pid_t) -> (program: String, parent: pid_t)? {
    let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let bytes = DescriptorInput.bytes(of: descriptor, maximum: 4096) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")") else {
      return nil
    }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 1, let parent = pid_t(fields[1]) else { return nil }
    return (String(text[text.index(after: start)..<end]), parent)
  }
}
