// SPDX-License-Identifier: MIT
// The transport over libcurl.

import CLibrary
import CTesseraSystem
import Synchronization
package import TesseraEngine
package import TesseraWire

/// A transport on the libcurl of this machine.
package final class CurlTransport: Transport {
  private let settings: NetworkSettings
  private let certificates: TrustedCertificates
  private let time: any TimeSource
  private let libraryNames: [String]
  private let library = AtomicLazyReference<CurlLibrary>()
  private let abandoned = AbandonedExchanges()

  /// Creates a transport without loading libcurl.
  ///
  /// - Parameter time: The clock of the call limits.
  package convenience init(
    _ settings: NetworkSettings = NetworkSettings(), time: any TimeSource = SystemTime()
  ) {
    self.init(settings, time: time, libraryNames: CurlLibrary.names)
  }

  /// Creates a transport on the first available of the given libraries.
  package init(_ settings: NetworkSettings, time: any TimeSource, libraryNames: [String]) {
    self.settings = settings
    self.time = time
    self.libraryNames = libraryNames
    certificates = TrustedCertificates(settings)
  }

  /// Sends a request and returns the response, whatever its status.
  package func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    var isSent = false
    do throws(TesseraError) {
      return try response(to: request, within: limits, &isSent)
    } catch {
      var error = error
      error.isUnsent = !isSent
      throw error
    }
  }

  /// Sends a request and returns the response.
  ///
  /// - Parameter isSent: Set to true if the server may have received part of the request.
  private func response(
    to request: HTTPRequest, within limits: CallLimits, _ isSent: inout Bool
  ) throws(TesseraError) -> HTTPResponse {
    try limits.check(time)
    guard let host = WebURL(request.url)?.authority, !request.url.utf8.contains(0) else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "The URL of a request is not an http or https URL.")
    }
    try certificates.checkFile()
    let library = try openedLibrary()
    return try BlockedSignal.brokenPipe.blocked { () throws(TesseraError) in
      abandoned.freeFinished()
      return try request.body.withUnsafeBufferPointer { body throws(TesseraError) in
        let exchange = try CurlExchange(library)
        defer { abandoned.end(exchange) }
        let exchangeLimits = ExchangeLimits(limits, host: host, settings: settings, time: time)
        try exchange.prepare(
          request, body: body, settings: settings, certificates: certificates,
          connectMilliseconds: exchangeLimits.connectMilliseconds)
        defer { isSent = exchange.isSent }
        try run(exchange, within: exchangeLimits, cancellation: limits.cancellation)
        return try exchange.response(from: host, certificates: certificates) {
          issuer(of: request.url, library, within: limits)
        }
      }
    }
  }

  /// Returns the issuer of a server's untrusted certificate; nil if it cannot be determined.
  private func issuer(
    of url: String, _ library: CurlLibrary, within limits: CallLimits
  ) -> String? {
    guard let handshake = try? CurlExchange(library) else { return nil }
    defer { abandoned.end(handshake) }
    let find = { [settings, certificates, time] in
      handshake.issuer(of: url, settings, certificates, within: limits, time)
    }
    guard let cancellation = limits.cancellation else { return find() }
    return cancellation.waking(with: { handshake.wake() }, find)
  }

  private func run(
    _ exchange: CurlExchange, within limits: ExchangeLimits, cancellation: Cancellation?
  ) throws(TesseraError) {
    guard let cancellation else { return try exchange.run(within: limits) }
    try cancellation.waking(with: { exchange.wake() }) { () throws(TesseraError) in
      try exchange.run(within: limits)
    }
  }

  private func openedLibrary() throws(TesseraError) -> CurlLibrary {
    if let library = library.load() { return library }
    return library.storeIfNil(try CurlLibrary(names: libraryNames))
  }
}

/// The functions of a loaded libcurl.
///
/// They are immutable and thread-safe.
final class CurlLibrary: @unchecked Sendable {
  #if canImport(Darwin)
    static let names = ["libcurl.4.dylib"]
  #else
    /// The file names of the OpenSSL build, which every distribution has, and of Debian's GnuTLS build.
    static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
  #endif

  /// The function table for the C functions of CTesseraSystem.
  let functions: OpaquePointer

  /// Loads the first available library.
  ///
  /// - Throws: `unsafeEnvironment` before anything is loaded, if libcurl would write to a file that the environment names;
  ///   `libraryMissing`; `networkFailed` if no descriptor is left.
  init(names: [String] = CurlLibrary.names) throws(TesseraError) {
    guard !ctessera_environment_is_unsafe() else { throw .unsafeEnvironment }
    guard ctessera_curl_lock_loading() else {
      throw TesseraError(
        .fixConfiguration, .libraryMissing,
        "This process was forked while another thread was loading libcurl. Fork while no call is in progress, or call exec."
      )
    }
    defer { ctessera_curl_unlock_loading() }
    var problems: [String] = []
    for name in names {
      var problem = [CChar](repeating: 0, count: 256)
      if let functions = ctessera_curl_load(name, &problem, problem.count) {
        self.functions = functions
        return
      }
      problems.append(String(decoding: problem.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    }
    guard !ctessera_exit_guard_is_closed() else { throw .cancelled() }
    guard DescriptorGuard.canOpenFile else { throw .tooManyFilesForNetwork }
    throw TesseraError(
      .fixConfiguration, .libraryMissing,
      "libcurl 7.68 or newer is required: install the package libcurl4 "
        + "(Debian, Ubuntu) or libcurl (others). \(problems.joined(separator: "; "))")
  }

  deinit {
    ctessera_curl_unload(functions)
  }

  /// Returns libcurl's description of a result code.
  func errorText(_ code: CURLcode) -> String {
    ctessera_curl_error_text(functions, code).map(String.init(cString:)) ?? "error \(code.rawValue)"
  }
}

extension TesseraError {
  /// The error for a process with elevated rights in which libcurl would write TLS keys to a file that the environment names.
  static let unsafeEnvironment = TesseraError(
    .fixConfiguration, .unsafeEnvironment,
    "The environment variable SSLKEYLOGFILE is set in a process with elevated rights. "
      + "libcurl would write TLS secrets to that file, so no request was sent. "
      + "Remove the variable at the start of main(): unsetenv(\"SSLKEYLOGFILE\").")

  /// The error if no descriptor is left for loading libcurl or for a connection.
  static let tooManyFilesForNetwork = TesseraError(
    .retryLater, .networkFailed,
    "No connection could be opened: the process has too many open files. Close files, or raise the limit (ulimit -n)."
  )
}

/// A setter of options on one handle, which records the first option that libcurl rejects.
struct CurlOptions {
  private let functions: OpaquePointer
  private let easy: UnsafeMutableRawPointer
  private var rejectedOption: CURLoption?

  init(_ library: CurlLibrary, _ easy: UnsafeMutableRawPointer) {
    functions = library.functions
    self.easy = easy
  }

  mutating func set(_ option: CURLoption, _ value: Int) {
    recordResult(option, ctessera_curl_set_number(functions, easy, option, value))
  }

  /// Sets a string, which libcurl copies.
  mutating func set(_ option: CURLoption, _ value: String) {
    recordResult(option, ctessera_curl_set_text(functions, easy, option, value))
  }

  mutating func set(_ option: CURLoption, _ value: UnsafeRawPointer?) {
    recordResult(option, ctessera_curl_set_pointer(functions, easy, option, value))
  }

  mutating func set(_ option: CURLoption, _ receiver: ctessera_curl_receiver) {
    recordResult(option, ctessera_curl_set_receiver(functions, easy, option, receiver))
  }

  private mutating func recordResult(_ option: CURLoption, _ isDone: Bool) {
    if !isDone { rejectedOption = rejectedOption ?? option }
  }

  /// Throws if any option was rejected.
  func check() throws(TesseraError) {
    guard let rejectedOption else { return }
    throw TesseraError(
      .reportBug, .internalError, "libcurl rejected the option \(rejectedOption.rawValue).")
  }
}

extension CurlOptions {
  /// Sets the options of every exchange: no redirects, no signals, http and https only, and the proxy for the URL.
  mutating func setDefaults(_ settings: NetworkSettings, for url: String) {
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_ACCEPT_ENCODING, "")
    set(CURLOPT_USERAGENT, settings.userAgent)
    if !ctessera_curl_allow_http_only(functions, easy) { recordResult(CURLOPT_PROTOCOLS, false) }
    let isElevated = ctessera_is_elevated()
    if let proxy = settings.effectiveProxy(for: url, isElevated: isElevated) {
      set(CURLOPT_PROXY, proxy)
    }
    if let noProxy = settings.noProxy ?? (isElevated ? "" : nil) { set(CURLOPT_NOPROXY, noProxy) }
  }

  /// Sets the trusted certificates.
  ///
  /// Servers and proxies are always verified.
  mutating func setTrust(_ certificates: TrustedCertificates) {
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
    set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let file = certificates.file {
      set(CURLOPT_CAINFO, file)
      set(CURLOPT_PROXY_CAINFO, file)
    }
    if let directory = certificates.directory {
      set(CURLOPT_CAPATH, directory)
      set(CURLOPT_PROXY_CAPATH, directory)
    }
  }

  /// Sets the request.
  ///
  /// The body is not copied and must stay valid until the exchange is freed.
  mutating func setRequest(_ request: HTTPRequest, body: UnsafeBufferPointer<UInt8>) {
    set(CURLOPT_URL, request.url)
    if request.method != "GET" || !body.isEmpty {
      set(CURLOPT_POST, 1)
      recordResult(
        CURLOPT_POSTFIELDSIZE_LARGE,
        ctessera_curl_set_size(functions, easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count)))
      set(CURLOPT_POSTFIELDS, UnsafeRawPointer(body.baseAddress))
      set(CURLOPT_CUSTOMREQUEST, request.method)
    }
  }

  /// Sets the receiver of the response.
  mutating func setReader(_ reader: ResponseReader) {
    let context = UnsafeRawPointer(Unmanaged.passUnretained(reader).toOpaque())
    set(CURLOPT_HEADERDATA, context)
    set(CURLOPT_WRITEDATA, context)
    set(CURLOPT_HEADERFUNCTION) { data, size, count, context in
      CurlOptions.receive(data, size, count, context) { $0.take(header: $1) }
    }
    set(CURLOPT_WRITEFUNCTION) { data, size, count, context in
      CurlOptions.receive(data, size, count, context) { $0.take(body: $1) }
    }
  }

  /// Passes received bytes to a reader.
  ///
  /// - Returns: The number of bytes that were accepted. Zero makes libcurl abort the exchange.
  private static func receive(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?,
    _ take: (ResponseReader, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Int {
    let (length, overflow) = size.multipliedReportingOverflow(by: count)
    guard let data, let context, length > 0, !overflow else { return 0 }
    let reader = Unmanaged<ResponseReader>.fromOpaque(context).takeUnretainedValue()
    return data.withMemoryRebound(to: UInt8.self, capacity: length) { bytes in
      take(reader, UnsafeBufferPointer(start: bytes, count: length)) ? length : 0
    }
  }
}

/// The network settings.
///
/// A nil member uses the configuration of this machine.
package struct NetworkSettings: Sendable, Equatable {
  /// The proxy, such as `http://proxy.example.com:3128`; empty for none.
  ///
  /// If nil, it is read from `https_proxy`, `http_proxy` and `all_proxy`. See ``effectiveProxy(for:isElevated:)``.
  package var proxy: String?
  /// The hosts that are reached without the proxy, separated by commas.
  ///
  /// If nil, they are read from `no_proxy`.
  package var noProxy: String?
  /// A PEM file with the certificates of trusted authorities.
  ///
  /// If nil, it is read from `CURL_CA_BUNDLE` or `SSL_CERT_FILE`, or is libcurl's default.
  package var certificateAuthorityFile: String?
  /// The timeout of a connection in milliseconds, including name resolution and handshake.
  package var connectTimeoutMilliseconds: UInt32 = 10_000
  /// The timeout of a whole exchange in milliseconds, regardless of the deadline of the call.
  package var totalTimeoutMilliseconds: UInt32 = 30_000
  /// The value of `User-Agent`.
  package var userAgent = "tessera"

  /// Creates the default settings.
  package init() {}
}

extension NetworkSettings {
  /// Returns the value of `CURLOPT_PROXY` for a request; nil lets libcurl read the environment variables.
  ///
  /// A request to this machine never uses a proxy, regardless of settings and environment. It may be http, and the proxy
  /// could read its secrets. A process with elevated rights uses a proxy only if the settings contain one.
  ///
  /// - Parameter isElevated: Whether the process has more rights than its user.
  package func effectiveProxy(for url: String, isElevated: Bool) -> String? {
    if WebURL(url)?.isThisMachine == true { return "" }
    return proxy ?? (isElevated ? "" : nil)
  }
}

/// The trusted certificates.
struct TrustedCertificates {
  /// A PEM file; nil for libcurl's default.
  let file: String?
  /// A directory of certificates in OpenSSL's format; nil for libcurl's default.
  let directory: String?

  /// Selects the file of the settings, otherwise the variables that the programs curl and openssl read.
  ///
  /// The library libcurl does not read these variables itself.
  init(
    _ settings: NetworkSettings,
    environment: (String) -> String? = { ctessera_environment($0).map(String.init(cString:)) }
  ) {
    func variable(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    guard settings.certificateAuthorityFile == nil else {
      file = settings.certificateAuthorityFile
      directory = nil
      return
    }
    file = variable("CURL_CA_BUNDLE") ?? variable("SSL_CERT_FILE")
    directory = variable("SSL_CERT_DIR")
  }
}

extension TrustedCertificates {
  /// Throws `certificateUntrusted` if the file exists but is not a regular file.
  ///
  /// libcurl opens it without O_NONBLOCK: a FIFO would block the call beyond its deadline. libcurl reports a missing
  /// file itself.
  func checkFile() throws(TesseraError) {
    guard let file else { return }
    let descriptor = openFile(file, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & mode_t(S_IFMT) != mode_t(S_IFREG)
    else { return }
    throw TesseraError(
      .fixConfiguration, .certificateUntrusted,
      "The file with the trusted certificates is not a regular file: \(file). Correct network.ca_file, CURL_CA_BUNDLE or "
        + "SSL_CERT_FILE.")
  }
}

/// A failed exchange, with the details for its error.
struct CurlFailure {
  /// The result code of libcurl.
  let code: CURLcode
  /// libcurl's description of the code.
  let errorText: String
  /// libcurl's description of this failure, which may quote data from the server.
  let detail: String
  /// The host, with its port.
  let host: String
  /// Whether Tessera aborted the exchange because the response was too large.
  let isTooLarge: Bool
  /// The configured file of trusted authorities, if any.
  let certificateFile: String?
  /// The status with which a proxy rejected the tunnel; 0 without a response to CONNECT.
  let proxyStatus: Int
  /// The issuer of an untrusted certificate, if it is known.
  var issuer: String?

  /// Whether a certificate was rejected.
  var isUntrusted: Bool {
    [CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS]
      .contains(code)
  }

  /// The error for the application, with the descriptions of libcurl and the proxy as causes.
  var error: TesseraError {
    let text = issuer.map { "\(errorText) (issuer: \($0))" } ?? errorText
    let error = advice.caused(by: TesseraError.Cause(.libcurl, Int64(code.rawValue), text))
    guard proxyStatus >= 300 else { return error }
    return error.caused(by: TesseraError.Cause(status: proxyStatus))
  }

  private var advice: TesseraError {
    if isTooLarge { return invalid("it exceeds the maximum size") }
    if isUntrusted { return untrusted }
    return switch code {
    case CURLE_SSL_CACERT_BADFILE:
      TesseraError(
        .fixConfiguration, .certificateUntrusted,
        "The file with the trusted certificates cannot be read: "
          + "\(certificateFile ?? "the system has none; install the package ca-certificates").")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      invalid(errorText)
    case CURLE_URL_MALFORMAT:
      TesseraError(
        .fixConfiguration, .invalidConfiguration, "\(host) is not a valid URL: \(errorText).")
    case CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION, CURLE_FAILED_INIT:
      TesseraError(.reportBug, .internalError, "libcurl rejected the request: \(errorText).")
    case _ where proxyStatus == 407:
      TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "The proxy for \(host) requires credentials: add the correct user name and password to its URL."
      )
    default:
      TesseraError(
        .retryLater, .networkFailed, "\(host) could not be reached: \(errorText)\(proxyNote).")
    }
  }

  private var proxyNote: String {
    proxyStatus >= 300 ? "; the proxy returned status \(proxyStatus)" : ""
  }

  private var untrusted: TesseraError {
    TesseraError(
      .fixConfiguration, .certificateUntrusted,
      "The certificate of \(host), or of its proxy, is not trusted "
        + "(\(detail.isEmpty ? errorText : detail)). "
        + (issuer.map { "It was issued by \"\($0)\". " } ?? "")
        + "If this is the certificate authority of your organization or of an inspecting proxy, set "
        + "network.ca_file or the environment variable SSL_CERT_FILE to the file with its certificate. "
        + "Otherwise an attacker may intercept the connection.")
  }

  private func invalid(_ reason: String) -> TesseraError {
    TesseraError(
      .retryLater, .invalidResponse, "The response of \(host) cannot be used: \(reason).")
  }
}
