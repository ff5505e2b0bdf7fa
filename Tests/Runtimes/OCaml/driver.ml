(* SPDX-License-Identifier: MIT *)
(* The driver of the example in OCaml; Tests/Runtimes/run describes the commands. *)
open Yojson.Safe.Util

exception Ended of Yojson.Safe.t

let application = ref None
let made () = Option.get !application
let has name command = member name command <> `Null
let respond document = print_endline (Yojson.Safe.to_string document)
let skipped reason = `Assoc [ ("skipped", `String reason) ]
let with_members members document = `Assoc (members @ to_assoc document)

(* Makes a call and returns the members of its result. *)
let described call =
  match call () with
  | result ->
      let declined = member "declined_scopes" result in
      let account = member "account" result in
      `Assoc
        [ ("status", `String (if declined = `Null then "ok" else "sign_in")); ("token", member "access_token" result);
          ("source", member "source" result); ("declined", declined);
          ("username", if account = `Null then `Null else member "username" account) ]
  | exception Tessera.Error error ->
      `Assoc [ ("status", member "remedy" error); ("code", member "code" error); ("claims", member "claims" error) ]
  | exception Ended result -> result
  | exception Sys.Break -> `Assoc [ ("interrupted", `Bool true) ]

let create command =
  if has "transport" command || has "log_level" (member "configuration" command) then
    skipped "the example has no callbacks"
  else
    described (fun () ->
        application := Some (Tessera.create (member "configuration" command));
        `Assoc [])

let silent command =
  let request = member "request" command in
  described (fun () ->
      if has "asynchronous" command then
        Tessera.(wait start_silent (made ()) request ~prompt:ignore ~is_cancelled:never)
      else Tessera.silent (made ()) request)

let device_code command =
  let pauses = ref (match member "cancel_after_milliseconds" command with `Int value -> value / 100 | _ -> max_int) in
  let prompt document =
    if has "throws" command then raise (Ended (`Assoc [ ("thrown", member "throws" command) ]));
    respond (`Assoc [ ("user_code", member "user_code" document) ])
  in
  let is_cancelled () = decr pauses; !pauses <= 0 in
  described (fun () -> Tessera.device_code ~is_cancelled (made ()) (member "request" command) ~prompt)

let accounts _ =
  `Assoc [ ("status", `String "ok"); ("usernames", `List (List.map (member "username") (Tessera.accounts (made ())))) ]

let kilobytes () =
  Gc.full_major ();
  let file = open_in "/proc/self/statm" in
  let pages = Scanf.sscanf (input_line file) "%d %d" (fun _ resident -> resident) in
  close_in file;
  pages * 4

let descriptors () = Array.length (Sys.readdir "/proc/self/fd")
let count command = command |> member "count" |> to_int

let repeat command =
  for _ = 1 to 1000 do ignore (silent command) done;
  let before = kilobytes () in
  for _ = 2 to count command do ignore (silent command) done;
  silent command |> with_members [ ("kilobytes", `Int (kilobytes () - before)) ]

let drop command =
  let files = descriptors () and before = kilobytes () in
  let result = ref `Null in
  for index = 1 to count command do
    ignore (create command);
    result := silent command;
    (* The collector does not know the memory of an application. *)
    if index mod 100 = 0 then Gc.full_major ()
  done;
  application := None;
  let growth = kilobytes () - before in
  !result |> with_members [ ("descriptors", `Int (descriptors () - files)); ("kilobytes", `Int growth) ]

let threads command =
  let results = Array.make 8 [] in
  let work index =
    for _ = 1 to count command do results.(index) <- silent command :: results.(index) done
  in
  List.iter Thread.join (List.init 8 (Thread.create work));
  let all = List.concat (Array.to_list results) in
  let tokens = List.sort_uniq compare (List.map (member "token") all) in
  List.hd all |> with_members [ ("tokens", `Int (List.length tokens)) ]

let fork command =
  let reader, writer = Unix.pipe () in
  match Unix.fork () with
  | 0 ->
      let channel = Unix.out_channel_of_descr writer in
      output_string channel (Yojson.Safe.to_string (silent command));
      close_out channel;
      exit 0
  | child -> (
      Unix.close writer;
      let result = Yojson.Safe.from_channel (Unix.in_channel_of_descr reader) in
      match Unix.waitpid [] child with
      | _, Unix.WEXITED 0 -> result
      | _ -> `Assoc [ ("status", `String "crashed") ])

let commands =
  [ ("create", create); ("silent", silent); ("device_code", device_code); ("accounts", accounts); ("repeat", repeat);
    ("drop", drop); ("threads", threads); ("fork", fork) ]

let () =
  Sys.catch_break true;
  try
    while true do
      let command = Yojson.Safe.from_string (input_line stdin) in
      respond ((List.assoc (command |> member "do" |> to_string) commands) command)
    done
  with End_of_file -> ()
