# SPDX-License-Identifier: MIT
# install (Debian): apt-get install r-base-core r-cran-jsonlite gcc pkg-config
# compile: cc -O2 -shared -fPIC tessera.c -o tessera.so $(R CMD config --cppflags) \
#   $(pkg-config --cflags --libs tessera)
# usage: Rscript example.R CONFIGURATION sign_in|token|accounts|sign_out [SCOPE...]
folder <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
dyn.load(Sys.getenv("TESSERA_R", file.path(folder, "tessera.so")))
source(file.path(folder, "tessera.R"))

arguments <- commandArgs(trailingOnly = TRUE)
scopes <- as.list(arguments[-(1:2)])

commands <- list(
  sign_in = function(application) {
    token <- tessera_device_code(application, list(scopes = scopes), function(prompt) {
      cat("Open this page: ", prompt$verification_uri, "\n")
      cat("Enter this code:", prompt$user_code, "\n")
    })
    cat(token$account$username, ": signed in\n", sep = "")
  },
  token = function(application) {
    token <- tessera_silent(application, list(scopes = scopes))
    cat(token$account$username, ": token from the ", token$source, "\n", sep = "")
  },
  accounts = function(application) {
    for (account in tessera_accounts(application)) cat(account$username, "\n", sep = "")
  },
  sign_out = function(application) {
    for (account in tessera_accounts(application)) {
      tessera_sign_out(application, list(home_account_id = account$home_account_id))
      cat(account$username, ": signed out\n", sep = "")
    }
  }
)
tryCatch({
  application <- tessera_open(jsonlite::fromJSON(arguments[1], simplifyVector = FALSE))
  commands[[arguments[2]]](application)
}, tessera_error = function(error) {
  message(conditionMessage(error))
  quit(status = 1)
})
