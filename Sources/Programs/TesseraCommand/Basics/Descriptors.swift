// SPDX-License-Identifier: MIT
// Input and output of file descriptors.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Calls the system function `write`, which methods named `write` shadow.
func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Writes a whole text.
///
/// - Returns: `false` after an error, with its number in `errno`.
func sendText(_ text: String, to descriptor: Int32) -> Bool {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { sendBytes(descriptor, $0) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    bytes = bytes.dropFirst(count)
  }
  return true
}

/// Calls the system function `read`, which methods named `read` shadow.
func receiveBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
