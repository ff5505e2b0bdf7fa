-- SPDX-License-Identifier: MIT
-- The driver of the example in Lua; Tests/Runtimes/run describes the commands.
local json = require "cjson"
local tessera = require "tessera"

local application
local commands = {}

local function respond(document)
  print(json.encode(document))
  io.stdout:flush()
end

-- Makes a call and returns the members of its result.
local function described(call, ...)
  local succeeded, outcome = pcall(call, ...)
  if not succeeded and getmetatable(outcome) == tessera.Error then
    return {status = outcome.remedy, code = outcome.code, claims = outcome.claims}
  elseif not succeeded and type(outcome) == "table" then
    return outcome
  elseif not succeeded and tostring(outcome):find "interrupted!" then
    return {interrupted = true}
  elseif not succeeded then
    error(outcome, 0)
  end
  return {
    status = outcome.declined_scopes and "sign_in" or "ok", token = outcome.access_token, source = outcome.source,
    username = outcome.account and outcome.account.username, declined = outcome.declined_scopes,
  }
end

function commands.create(command)
  if command.transport or command.configuration.log_level then
    return {skipped = "threads of the library call callbacks, and must not enter the interpreter"}
  end
  return described(function()
    application = tessera.Application.new(command.configuration)
    return {}
  end)
end

function commands.silent(command)
  if command.asynchronous then
    return described(application.wait, application, "acquire_token_silent", command.request)
  end
  return described(application.silent, application, command.request)
end

function commands.device_code(command)
  local pauses = (command.cancel_after_milliseconds or math.huge) / 100
  return described(application.device_code, application, command.request, function(prompt)
    if command.throws then error {thrown = command.throws} end
    respond {user_code = prompt.user_code}
  end, function()
    pauses = pauses - 1
    return pauses <= 0
  end)
end

function commands.accounts()
  local names = {}
  for _, account in ipairs(application:accounts()) do names[#names + 1] = account.username end
  return {status = "ok", usernames = names}
end

local function kilobytes()
  collectgarbage()
  local file = io.open "/proc/self/status"
  local text = file:read "*a"
  file:close()
  return tonumber(text:match "VmRSS:%s*(%d+)")
end

local function descriptors()
  local pipe = io.popen "ls /proc/$PPID/fd | wc -l"
  local count = tonumber(pipe:read "*a")
  pipe:close()
  return count
end

commands["repeat"] = function(command)
  local result
  for _ = 1, 1000 do result = commands.silent(command) end
  local before = kilobytes()
  for _ = 1, command.count do result = commands.silent(command) end
  result.kilobytes = kilobytes() - before
  return result
end

function commands.drop(command)
  local before, files = kilobytes(), descriptors()
  local result
  for _ = 1, command.count do
    commands.create(command)
    result = commands.silent(command)
  end
  application = nil
  result.kilobytes, result.descriptors = kilobytes() - before, descriptors() - files
  return result
end

function commands.threads() return {skipped = "the interpreter has no threads"} end

function commands.fork() return {skipped = "the interpreter has no fork"} end

for line in io.lines() do
  local command = json.decode(line)
  respond(commands[command["do"]](command))
end
