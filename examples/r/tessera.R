# SPDX-License-Identifier: MIT
# Applications of Tessera with lists as requests and results.

encode <- function(value) as.character(jsonlite::toJSON(value, auto_unbox = TRUE))

# The last response and its document. Parsing takes longer than a call that returns a cached token.
parsed <- new.env()

# Returns a result. Signals its error, a condition of class "tessera_error" with the members of "Error" in
# docs/c-interface.md.
tessera_result <- function(response) {
  if (!identical(response, parsed$text)) {
    parsed$document <- jsonlite::fromJSON(response, simplifyVector = FALSE)
    parsed$text <- response
  }
  error <- parsed$document$error
  if (!is.null(error)) {
    message <- sprintf("%s (%s): %s", error$remedy, error$code, error$message)
    condition <- list(message = message, call = NULL, error = error)
    stop(structure(condition, class = c("tessera_error", "error", "condition")))
  }
  parsed$document
}

tessera_open <- function(configuration) {
  created <- .Call("r_create", encode(configuration))
  tessera_result(created[[1]])
  created[[2]]
}

tessera_silent <- function(application, request) {
  tessera_result(.Call("r_call", "silent", application, encode(request)))
}

tessera_accounts <- function(application) tessera_result(.Call("r_call", "accounts", application, NULL))$accounts

tessera_sign_out <- function(application, request) {
  tessera_result(.Call("r_call", "sign_out", application, encode(request)))
}

# Performs a call on a thread of the library. `prompt` receives a device code. `is_cancelled`, called every 100 ms,
# returns whether to cancel the call. A condition in them, and Ctrl-C, cancel it too.
tessera_wait <- function(name, application, request, prompt = NULL, is_cancelled = function() FALSE) {
  started <- .Call("r_start", name, application, encode(request))
  group <- started[[2]]
  if (is.null(group)) return(tessera_result(started[[1]]))
  on.exit(.Call("r_free", group))
  repeat {
    event <- .Call("r_next_event", group, 100L)
    if (event[[1]] == 1L) return(tessera_result(event[[2]]))
    if (event[[1]] == 2L) prompt(tessera_result(event[[2]]))
    if (is_cancelled()) .Call("r_cancel", group)
  }
}

tessera_device_code <- function(application, request, ...) tessera_wait("device_code", application, request, ...)
