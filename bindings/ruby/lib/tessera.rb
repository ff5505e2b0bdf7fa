# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# Signs users in to the Microsoft identity platform and to any OpenID Connect provider, with one token cache that all
# applications of a user on a machine share.
#
#     application = Tessera::Application.new(client_id: "your-client-id")
#     begin
#       token = application.acquire_token_silent(scopes: ["User.Read"])
#     rescue Tessera::SignInRequiredError => error
#       token = application.acquire_token_interactive(scopes: ["User.Read"], claims: error.claims) { puts _1.url }
#     end
#
# The library is loaded when it is first used. It is searched in this order:
#
# 1. TESSERA_LIBRARY, an absolute path. A process with elevated privileges ignores the variable.
# 2. libtessera.so.1 in the folder of this gem's extension.
# 3. libtessera.so.1, found by the dynamic linker.
#
# A call that waits for a server polls a descriptor, so that other threads and the fibers of a scheduler run. Timeout,
# Thread#raise, Thread#kill and Ctrl-C end it. Ractors other than the main one cannot use the library.
#
# `inspect` and `pp` do not show tokens. Strings of Ruby cannot be overwritten reliably, so a token remains in memory until
# it is collected.
module Tessera
end

require "tessera/native"
require_relative "tessera/version"
require_relative "tessera/values"
require_relative "tessera/documents"
require_relative "tessera/errors"
require_relative "tessera/library"
require_relative "tessera/host"
require_relative "tessera/application"
require_relative "tessera/methods"
