-- SPDX-License-Identifier: MIT
{-# LANGUAGE OverloadedStrings #-}

-- The driver of the example in Haskell; Tests/Runtimes/run describes the commands.
module Main (main) where

import Control.Concurrent (forkIO, newEmptyMVar, putMVar, takeMVar, yield)
import Control.Exception (AsyncException (UserInterrupt), Exception, Handler (..), catches, throwIO)
import Control.Monad (forM, forM_, replicateM, replicateM_, when)
import Data.Aeson (Value (..), decodeStrict, encode, object, (.=))
import qualified Data.Aeson.KeyMap as Map
import Data.Aeson.Types (Pair)
import qualified Data.ByteString as Bytes
import qualified Data.ByteString.Lazy.Char8 as Lazy
import Data.IORef
import Data.List (nub)
import Data.Maybe (fromMaybe, isJust)
import System.Directory (listDirectory)
import System.IO (hFlush, isEOF, stdout)
import System.Mem (performGC)
import Tessera

newtype Ended = Ended Value deriving Show

instance Exception Ended

type Made = IORef (Maybe Application)

respond :: Value -> IO ()
respond document = Lazy.putStrLn (encode document) >> hFlush stdout

skipped :: String -> IO Value
skipped reason = pure (object ["skipped" .= reason])

with :: [Pair] -> Value -> Value
with pairs (Object members) = Object (Map.fromList pairs <> members)
with _ other = other

-- Makes a call and returns the members of its result.
described :: IO Value -> IO Value
described call = (result <$> call) `catches` [Handler failed, Handler ended, Handler interrupted]
 where
  result document =
    let declined = fromMaybe [] (member "declined_scopes" document) :: [String]
        value name = fromMaybe Null (member name document)
     in object
          [ "status" .= (if null declined then "ok" else "sign_in" :: String), "declined" .= declined
          , "token" .= value "access_token", "source" .= value "source"
          , "username" .= (member "account" document >>= member "username" :: Maybe String)
          ]
  failed (Error error') =
    let value name = fromMaybe Null (member name error')
     in pure (object ["status" .= value "remedy", "code" .= value "code", "claims" .= value "claims"])
  ended (Ended document) = pure document
  interrupted UserInterrupt = pure (object ["interrupted" .= True])
  interrupted other = throwIO other

application :: Made -> IO Application
application made = readIORef made >>= maybe (fail "there is no application") pure

request :: Value -> Value
request = fromMaybe Null . member "request"

count :: Value -> Int
count = fromMaybe 0 . member "count"

makeApplication :: Made -> Value -> IO Value
makeApplication made command
  | isJust (member "transport" command :: Maybe Value) = skipped "the example has no callbacks"
  | isJust (member "log_level" configuration :: Maybe Value) = skipped "the example has no callbacks"
  | otherwise = described $ do
      open configuration >>= writeIORef made . Just
      pure (object [])
 where
  configuration = fromMaybe Null (member "configuration" command)

makeSilent :: Made -> Value -> IO Value
makeSilent made command = described $ do
  used <- application made
  let isAsynchronous = isJust (member "asynchronous" command :: Maybe Bool)
  (if isAsynchronous then waitForSilent else silent) used (request command)

signIn :: Made -> Value -> IO Value
signIn made command = do
  pauses <- newIORef (maybe maxBound (`div` 100) (member "cancel_after_milliseconds" command) :: Int)
  described $ do
    used <- application made
    deviceCode used (request command) prompt (atomicModifyIORef pauses (\left -> (left - 1, left <= 1)))
 where
  prompt document = do
    forM_ (member "throws" command :: Maybe Value) $ \text -> throwIO (Ended (object ["thrown" .= text]))
    respond (object ["user_code" .= (member "user_code" document :: Maybe String)])

list :: Made -> IO Value
list made = do
  found <- application made >>= accounts
  let names = map (member "username") found :: [Maybe String]
  pure (object ["status" .= ("ok" :: String), "usernames" .= names])

kilobytes :: IO Int
kilobytes = do
  performGC
  yield -- The finalizers run on another thread.
  text <- readFile "/proc/self/statm"
  let pages = read (words text !! 1)
  pure $! pages * 4

descriptors :: IO Int
descriptors = length <$> listDirectory "/proc/self/fd"

repeated :: Made -> Value -> IO Value
repeated made command = do
  replicateM_ 1000 (makeSilent made command)
  before <- kilobytes
  replicateM_ (count command - 1) (makeSilent made command)
  result <- makeSilent made command
  after <- kilobytes
  pure (with ["kilobytes" .= (after - before)] result)

dropped :: Made -> Value -> IO Value
dropped made command = do
  files <- descriptors
  before <- kilobytes
  replicateM_ (count command) (makeApplication made command >> makeSilent made command)
  result <- makeSilent made command
  writeIORef made Nothing
  after <- kilobytes
  left <- descriptors
  pure (with ["kilobytes" .= (after - before), "descriptors" .= (left - files)] result)

threads :: Made -> Value -> IO Value
threads made command = do
  ends <- forM [1 .. 8 :: Int] $ \_ -> do
    end <- newEmptyMVar
    _ <- forkIO (replicateM (count command) (makeSilent made command) >>= putMVar end)
    pure end
  results <- concat <$> mapM takeMVar ends
  let tokens = nub (map (member "token") results :: [Maybe String])
  pure (with ["tokens" .= length tokens] (head results))

perform :: Made -> Value -> IO Value
perform made command = case member "do" command :: Maybe String of
  Just "create" -> makeApplication made command
  Just "silent" -> makeSilent made command
  Just "device_code" -> signIn made command
  Just "accounts" -> list made
  Just "repeat" -> repeated made command
  Just "drop" -> dropped made command
  Just "threads" -> threads made command
  Just "fork" -> skipped "the runtime does not fork without exec"
  other -> fail (show other)

main :: IO ()
main = newIORef Nothing >>= loop
 where
  loop made = do
    ended <- isEOF
    when (not ended) $ do
      Just command <- decodeStrict <$> Bytes.getLine
      perform made command >>= respond
      loop made
