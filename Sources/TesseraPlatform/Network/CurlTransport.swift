// SPDX-License-Identifier: MIT
// The transport by libcurl.

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

/// An HTTP request in progress.
///
/// Each exchange has its own handles, so any number of threads, and a child of fork(), can have exchanges of their own. Other
/// threads may only call ``wake()``. The creator must call ``end()``.
final class CurlExchange: @unchecked Sendable {
  let library: CurlLibrary
  let easy: UnsafeMutableRawPointer
  let multi: UnsafeMutableRawPointer
  private let detail: UnsafeMutablePointer<CChar>
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var result: CURLcode?
  private let reader = ResponseReader()
  /// Whether a response that has begun must not be lost.
  private var spendsCredential = false
  /// Whether freeing the handles never waits for the resolver (`CURLOPT_QUICK_EXIT`).
  private let freesWithoutBlocking: Bool

  /// Creates the handles.
  init(_ library: CurlLibrary) throws(TesseraError) {
    guard let easy = ctessera_curl_easy_create(library.functions) else {
      throw CurlExchange.outOfMemory
    }
    guard let multi = ctessera_curl_multi_create(library.functions) else {
      ctessera_curl_easy_free(library.functions, easy)
      throw CurlExchange.outOfMemory
    }
    self.library = library
    self.easy = easy
    self.multi = multi
    detail = .allocate(capacity: Int(CURL_ERROR_SIZE))
    detail.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    freesWithoutBlocking = ctessera_curl_set_quick_exit(library.functions, easy)
  }

  /// Sets the request.
  ///
  /// Its body must stay valid until the exchange is freed.
  func prepare(
    _ request: HTTPRequest, body: UnsafeBufferPointer<UInt8>, settings: NetworkSettings,
    certificates: TrustedCertificates, connectMilliseconds: Int
  ) throws(TesseraError) {
    spendsCredential = request.spendsCredential
    for line in try request.fieldLines() {
      guard ctessera_curl_list_append(library.functions, &fields, line) else {
        throw CurlExchange.outOfMemory
      }
    }
    var options = CurlOptions(library, easy)
    options.setDefaults(settings, for: request.url)
    options.setTrust(certificates)
    options.setRequest(request, body: body)
    options.setReader(reader)
    options.set(CURLOPT_CONNECTTIMEOUT_MS, connectMilliseconds)
    options.set(CURLOPT_HTTPHEADER, UnsafeRawPointer(fields))
    options.set(CURLOPT_ERRORBUFFER, UnsafeRawPointer(detail))
    try options.check()
    guard ctessera_curl_multi_add(library.functions, multi, easy) else {
      throw CurlExchange.outOfMemory
    }
  }

  /// Sends the request and receives the response, until the exchange is complete or its limits are reached.
  func run(within limits: ExchangeLimits) throws(TesseraError) {
    var limits = limits
    while result == nil {
      guard ctessera_curl_multi_perform(library.functions, multi) else {
        throw ctessera_exit_guard_is_closed() ? .cancelled() : CurlExchange.outOfMemory
      }
      var code = CURLE_OK
      if ctessera_curl_multi_finished(library.functions, multi, &code) {
        result = code
        return
      }
      try limits.check(
        isConnected: isConnected, mustReceive: spendsCredential && reader.hasBegun)
      let span = limits.millisecondsToNextCheck(isConnected: isConnected)
      guard ctessera_curl_multi_wait(library.functions, multi, span) >= 0 else {
        throw CurlExchange.outOfMemory
      }
    }
  }

  /// Interrupts a wait of the exchange from another thread.
  func wake() {
    ctessera_curl_multi_wake(library.functions, multi)
  }

  /// Returns the response, or throws the error of a failed exchange.
  ///
  /// - Parameter issuer: Returns the issuer of a rejected certificate, if it can be determined.
  func response(
    from host: String, certificates: TrustedCertificates, issuer: () -> String?
  ) throws(TesseraError) -> HTTPResponse {
    let code = result ?? CURLE_FAILED_INIT
    guard code != CURLE_OK else {
      return HTTPResponse(
        status: ctessera_curl_get_number(library.functions, easy, CURLINFO_RESPONSE_CODE),
        headers: reader.headers, body: reader.body)
    }
    // libcurl reports a failed connection or file without the reason, which may be a lack of descriptors.
    guard DescriptorGuard.canOpenFile else { throw .tooManyFilesForNetwork }
    var failure = CurlFailure(
      code: code, errorText: library.errorText(code), detail: String(cString: detail), host: host,
      isTooLarge: reader.isTooLarge, certificateFile: certificates.file,
      proxyStatus: ctessera_curl_get_number(library.functions, easy, CURLINFO_HTTP_CONNECTCODE))
    if failure.isUntrusted { failure.issuer = issuer() }
    throw failure.error
  }

  /// Frees the handles.
  ///
  /// Returns false without freeing them if that would wait for the resolver.
  func end() -> Bool {
    if !freesWithoutBlocking && isResolving {
      ctessera_curl_set_pointer(library.functions, easy, CURLOPT_POSTFIELDS, nil)
      return false
    }
    free()
    return true
  }

  /// Frees an exchange for which ``end()`` returned false, if its resolver has finished.
  ///
  /// Returns whether it was freed.
  func freeIfResolved() -> Bool {
    guard ctessera_curl_multi_wait(library.functions, multi, 0) > 0 else { return false }
    free()
    return true
  }

  private func free() {
    ctessera_curl_multi_free(library.functions, multi, easy)
    ctessera_curl_easy_free(library.functions, easy)
    ctessera_curl_list_free(library.functions, fields)
    detail.deallocate()
  }
}

extension CurlExchange {
  private static let outOfMemory = TesseraError(
    .retryLater, .networkFailed,
    "The request could not be created: out of memory or file descriptors.")

  /// Whether the connection is established, including the handshake.
  private var isConnected: Bool {
    ctessera_curl_get_time(library.functions, easy, CURLINFO_PRETRANSFER_TIME_T) > 0
  }

  /// Whether the server may have received part of the request.
  var isSent: Bool {
    isConnected || ctessera_curl_get_number(library.functions, easy, CURLINFO_REQUEST_SIZE) > 0
  }

  private var isResolving: Bool {
    result == nil
      && ctessera_curl_get_time(library.functions, easy, CURLINFO_NAMELOOKUP_TIME_T) == 0
  }
}

extension HTTPRequest {
  /// Returns the header fields as lines for libcurl.
  fileprivate func fieldLines() throws(TesseraError) -> [String] {
    // Suppress the fields that libcurl would add: `Expect: 100-continue`, and a content type for each body.
    var lines = ["Expect:"]
    if headers["Content-Type"] == nil { lines.append("Content-Type:") }
    for header in headers {
      let isClean = (header.name + header.value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      guard isClean, !header.name.isEmpty, !header.name.contains(":") else {
        throw TesseraError(
          .fixRequest, .invalidMember, "A header field contains invalid characters.")
      }
      lines.append(header.value.isEmpty ? header.name + ";" : "\(header.name): \(header.value)")
    }
    return lines
  }
}

extension CurlExchange {
  /// The timeout of the handshake, in milliseconds.
  ///
  /// Without a result, the error contains no issuer.
  private static let issuerMilliseconds: Int64 = 5_000

  /// Returns the issuer of the last certificate of a server; nil if it cannot be determined.
  ///
  /// The handshake accepts any certificate of the server, because libcurl does not report those of a failed handshake. No
  /// HTTP request is sent to the server (`CURLOPT_CONNECT_ONLY`). A proxy receives the CONNECT request, and its certificate
  /// is verified.
  func issuer(
    of url: String, _ settings: NetworkSettings, _ certificates: TrustedCertificates,
    within limits: CallLimits, _ time: any TimeSource
  ) -> String? {
    let short = limits.atMost(milliseconds: CurlExchange.issuerMilliseconds, time)
    let exchangeLimits = ExchangeLimits(short, host: "", settings: settings, time: time)
    var options = CurlOptions(library, easy)
    options.setDefaults(settings, for: url)
    options.setTrust(certificates)
    options.set(CURLOPT_URL, url)
    options.set(CURLOPT_SSL_VERIFYPEER, 0)
    options.set(CURLOPT_SSL_VERIFYHOST, 0)
    options.set(CURLOPT_CONNECT_ONLY, 1)
    options.set(CURLOPT_CERTINFO, 1)
    options.set(CURLOPT_CONNECTTIMEOUT_MS, exchangeLimits.connectMilliseconds)
    guard (try? options.check()) != nil,
      ctessera_curl_multi_add(library.functions, multi, easy),
      (try? run(within: exchangeLimits)) != nil,
      let name = ctessera_curl_issuer(library.functions, easy)
    else { return nil }
    return String(cString: name).plain(atMost: 300).nonBlank
  }
}

/// The time limits of an exchange that starts at their creation.
struct ExchangeLimits {
  /// The maximum duration of one wait, in nanoseconds.
  ///
  /// After the machine slept, the deadline is checked within this time.
  private static let maximumWaitNanoseconds: UInt64 = 1_000_000_000

  private let call: CallLimits
  private let time: any TimeSource
  private let host: String
  private let settings: NetworkSettings
  private let connectBy: UInt64
  private let endBy: UInt64
  /// The time until which the rest of a response may be received; `nil` before the limits are reached.
  private var receiveBy: UInt64?

  /// Creates limits from those of a call and the timeouts of the settings.
  init(_ call: CallLimits, host: String, settings: NetworkSettings, time: any TimeSource) {
    self.call = call
    self.time = time
    self.host = host
    self.settings = settings
    let now = time.monotonicNanoseconds
    connectBy = now.adding(UInt64(settings.connectTimeoutMilliseconds) &* 1_000_000)
    endBy = now.adding(UInt64(settings.totalTimeoutMilliseconds) &* 1_000_000)
  }

  /// The connection timeout for libcurl, in milliseconds, which libcurl divides among the addresses of a host.
  ///
  /// One second is added so that ``check(isConnected:)`` throws first. Before version 7.87, libcurl could exceed its own timeout
  /// while its resolver was running.
  var connectMilliseconds: Int {
    Int(millisecondsToNextCheck(isConnected: false, longest: .max)) &+ 1_000
  }

  /// Throws if the exchange must end now.
  ///
  /// - Parameter mustReceive: Whether the response has begun and must not be lost. It then has more time.
  mutating func check(isConnected: Bool, mustReceive: Bool) throws(TesseraError) {
    do throws(TesseraError) {
      try check(isConnected: isConnected)
    } catch {
      guard mustReceive else { throw error }
      let now = time.monotonicNanoseconds
      let end = receiveBy ?? now.adding(UInt64(CallLimits.responseMilliseconds) &* 1_000_000)
      guard now < end else { throw error }
      receiveBy = end
    }
  }

  private func check(isConnected: Bool) throws(TesseraError) {
    try call.check(time)
    let now = time.monotonicNanoseconds
    if now >= endBy {
      throw TesseraError(
        .retryLater, .networkFailed,
        "\(host) did not respond within \(settings.totalTimeoutMilliseconds) ms.")
    }
    if !isConnected && now >= connectBy {
      throw TesseraError(
        .retryLater, .networkFailed,
        "No connection to \(host) within \(settings.connectTimeoutMilliseconds) ms.")
    }
  }

  /// The time until the next limit, in whole milliseconds, rounded up.
  func millisecondsToNextCheck(
    isConnected: Bool, longest: UInt64 = ExchangeLimits.maximumWaitNanoseconds
  ) -> Int32 {
    let now = time.monotonicNanoseconds
    let end = isConnected ? endBy : min(connectBy, endBy)
    var left = min(end > now ? end - now : 0, call.nanosecondsLeft(time) ?? .max, longest)
    if let receiveBy { left = min(receiveBy > now ? receiveBy - now : 0, longest) }
    return Int32(clamping: left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1))
  }
}

/// The receiver of a response from libcurl.
final class ResponseReader {
  /// The maximum number of header fields and of their bytes, about twenty times what servers send.
  private static let headerLimit = (fields: 200, bytes: 1 << 16)

  private(set) var headers: [HTTPHeader] = []
  private(set) var body: [UInt8] = []
  /// Whether the response exceeded a limit.
  private(set) var isTooLarge = false
  /// Whether the final response has begun.
  ///
  /// An interim response (1xx) does not count.
  private(set) var hasBegun = false
  private var headerBytes = 0

  /// Receives a header line.
  ///
  /// Returns false if a limit is exceeded.
  func take(header line: UnsafeBufferPointer<UInt8>) -> Bool {
    headerBytes = headerBytes.addingReportingOverflow(line.count).partialValue
    isTooLarge =
      headerBytes > ResponseReader.headerLimit.bytes
      || headers.count >= ResponseReader.headerLimit.fields
    guard !isTooLarge else { return false }
    // A status line starts a new header. Fields before it belong to an interim response (RFC 9110 section 15.2).
    if line.starts(with: "HTTP/".utf8) {
      headers = []
      let status = line.drop { $0 != UInt8(ascii: " ") }.dropFirst()
      hasBegun = status.first != UInt8(ascii: "1")
      return true
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let value = line[(colon + 1)...].drop(while: ResponseReader.isSpace)
    let end = value.lastIndex { !ResponseReader.isSpace($0) }.map { $0 + 1 } ?? value.startIndex
    headers.append(
      HTTPHeader(
        String(decoding: line[..<colon], as: UTF8.self),
        String(decoding: value[..<end], as: UTF8.self)))
    return true
  }

  /// Receives a piece of the decompressed body.
  ///
  /// Returns false if the limit is exceeded.
  func take(body piece: UnsafeBufferPointer<UInt8>) -> Bool {
    isTooLarge = piece.count > HTTPResponse.bodyLimit - body.count
    guard !isTooLarge else { return false }
    body.append(contentsOf: piece)
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }
}

/// Exchanges that ended during name resolution and are freed later.
///
/// Before version 7.87, freeing a libcurl handle waits for its resolver, with an unresponsive DNS server for many seconds. Such
/// an exchange is kept, and freed by a later call when its resolver has finished.
final class AbandonedExchanges: Sendable {
  private struct Entry {
    let exchange: CurlExchange
    let process: Int32
  }

  private let entries = SpinLock<[Entry]>([])

  /// Frees an exchange, or keeps it for ``freeFinished()`` if freeing it would block.
  func end(_ exchange: CurlExchange) {
    guard !exchange.end() else { return }
    entries.withLock { $0.append(Entry(exchange: exchange, process: getpid())) }
  }

  /// Frees the exchanges that can be freed without blocking.
  ///
  /// A child of fork() does not free those of its parent: libcurl would wait for resolver threads that do not exist in the child.
  func freeFinished() {
    entries.withLock { entries in
      entries.removeAll { $0.process == getpid() && $0.exchange.freeIfResolved() }
    }
  }
}
