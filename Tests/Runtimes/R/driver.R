# SPDX-License-Identifier: MIT
# The driver of the example in R; Tests/Runtimes/run describes the commands.
arguments <- commandArgs(trailingOnly = TRUE)
dyn.load(arguments[1])
source(arguments[2])

application <- NULL

respond <- function(document) {
  cat(jsonlite::toJSON(document, auto_unbox = TRUE, null = "null"), "\n", sep = "")
  flush(stdout())
}

# Ends a call with a result of the driver.
end <- function(result) {
  stop(structure(list(message = "ended", call = NULL, result = result), class = c("ended", "error", "condition")))
}

# Makes a call and returns the members of its result.
described <- function(call) {
  tryCatch({
    result <- call()
    list(
      status = if (is.null(result$declined_scopes)) "ok" else "sign_in", token = result$access_token,
      source = result$source, username = result$account$username, declined = result$declined_scopes
    )
  },
  tessera_error = function(error) {
    list(status = error$error$remedy, code = error$error$code, claims = error$error$claims)
  },
  ended = function(ended) ended$result,
  interrupt = function(condition) list(interrupted = TRUE))
}

commands <- list()

commands$create <- function(command) {
  if (!is.null(command$transport) || !is.null(command$configuration$log_level)) {
    return(list(skipped = "threads of the library call callbacks, and must not enter the interpreter"))
  }
  described(function() {
    application <<- tessera_open(command$configuration)
    list()
  })
}

commands$silent <- function(command) {
  described(function() {
    if (is.null(command$asynchronous)) return(tessera_silent(application, command$request))
    tessera_wait("silent", application, command$request)
  })
}

commands$device_code <- function(command) {
  pauses <- if (is.null(command$cancel_after_milliseconds)) Inf else command$cancel_after_milliseconds / 100
  prompt <- function(prompt) {
    if (!is.null(command$throws)) end(list(thrown = command$throws))
    respond(list(user_code = prompt$user_code))
  }
  is_cancelled <- function() {
    pauses <<- pauses - 1
    pauses <= 0
  }
  described(function() tessera_device_code(application, command$request, prompt, is_cancelled))
}

commands$accounts <- function(command) {
  list(status = "ok", usernames = lapply(tessera_accounts(application), function(each) each$username))
}

kilobytes <- function() {
  gc()
  as.numeric(strsplit(readLines("/proc/self/statm"), " ")[[1]][2]) * 4
}

descriptors <- function() length(list.files("/proc/self/fd"))

commands[["repeat"]] <- function(command) {
  for (index in 1:1000) commands$silent(command)
  before <- kilobytes()
  for (index in seq_len(command$count)) result <- commands$silent(command)
  c(result, kilobytes = kilobytes() - before)
}

commands$drop <- function(command) {
  files <- descriptors()
  before <- kilobytes()
  for (index in seq_len(command$count)) {
    commands$create(command)
    result <- commands$silent(command)
  }
  application <<- NULL
  growth <- kilobytes() - before
  c(result, descriptors = descriptors() - files, kilobytes = growth)
}

commands$threads <- function(command) list(skipped = "the interpreter has no threads")

commands$fork <- function(command) {
  child <- parallel::mcparallel(commands$silent(command))
  parallel::mccollect(child)[[1]]
}

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  command <- jsonlite::fromJSON(line, simplifyVector = FALSE)
  respond(commands[[command$do]](command))
}
