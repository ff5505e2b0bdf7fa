(* SPDX-License-Identifier: MIT *)
(* install (Debian): apt-get install ocaml-nox ocaml-findlib libctypes-ocaml-dev libyojson-ocaml-dev *)
(* compile: ocamlfind ocamlopt -thread -package ctypes.foreign,yojson,threads.posix -linkpkg tessera.ml example.ml \
     -o example *)
(* usage: example CONFIGURATION sign_in|token|accounts|sign_out [SCOPE...] *)
open Yojson.Safe.Util

let text name document = document |> member name |> to_string
let username token = token |> member "account" |> text "username"

let run application scopes = function
  | "sign_in" ->
      let prompt document =
        Printf.printf "Open this page:  %s\nEnter this code: %s\n%!" (text "verification_uri" document)
          (text "user_code" document)
      in
      let token = Tessera.device_code application (`Assoc [ ("scopes", scopes) ]) ~prompt in
      Printf.printf "%s: signed in\n" (username token)
  | "token" ->
      let token = Tessera.silent application (`Assoc [ ("scopes", scopes) ]) in
      Printf.printf "%s: token from the %s\n" (username token) (text "source" token)
  | "accounts" -> List.iter (fun account -> print_endline (text "username" account)) (Tessera.accounts application)
  | "sign_out" ->
      let sign_out account =
        ignore (Tessera.sign_out application (`Assoc [ ("home_account_id", member "home_account_id" account) ]));
        Printf.printf "%s: signed out\n" (text "username" account)
      in
      List.iter sign_out (Tessera.accounts application)
  | command -> failwith ("unknown command " ^ command)

let () =
  match Array.to_list Sys.argv with
  | _ :: configuration :: command :: scopes -> (
      let scopes = `List (List.map (fun scope -> `String scope) scopes) in
      try run (Tessera.create (Yojson.Safe.from_string configuration)) scopes command
      with Tessera.Error error ->
        Printf.eprintf "%s (%s): %s\n" (text "remedy" error) (text "code" error) (text "message" error);
        exit 1)
  | _ -> exit 2
