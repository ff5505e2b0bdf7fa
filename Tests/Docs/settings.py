# SPDX-License-Identifier: MIT
"""The context of each code block; blocks without a row use the default one.

Alice has signed in to the application `your-client-id`. Python blocks have the names of at_home.py, C blocks
at_home.h with `application` and `response`, Swift blocks AtHome.swift with `application`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from examples import expect
from graph import ME


@dataclass(frozen=True)
class Setting:
    """The context of a block."""

    before: str = ""
    """The code before the block, in its language."""
    replaced: dict[str, str] = field(default_factory=dict)
    """Placeholders and comments of the page, with their replacements."""
    after: str = ""
    """The condition after the block, in its language."""
    client_id: str = "your-client-id"
    """The application to which Alice has signed in; empty if she has not."""
    storage: tuple[str, ...] = ()
    """Options of the store that the sign-in creates."""
    broker: str = ""
    """The application that an identity broker knows; empty for none."""
    words: tuple[str, ...] = ()
    """The arguments of the program."""
    enters_codes: bool = False
    """Whether Alice enters the device codes that the block shows."""
    stays: bool = False
    """Whether the last command runs until it is stopped."""


_DRAWN = "alice page \"$(grep -o 'http[^ ]*' output)\" | tessera complete-login"
_TAKEN = "$HOME/.azure/accessTokens.json"
_ADAL_FILE = 'mkdir .azure && cp "$ROOT/Tests/Vectors/legacy-archives/generated-azure-cli.json" ' + _TAKEN
_AZURE_CLI = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
_MSAL_SIGNED_IN = "import microsoft\napp = microsoft.application('your-client-id')"
_MSAL_NETWORK = {
    "your-tenant": "contoso.onmicrosoft.com", '"your-client-id",': '"your-client-id", http_client=network,',
}  # fmt: skip
_MSAL_FLOW = """flow = app.initiate_device_flow(['User.Read'])
alice.code(flow['user_code'])
assert 'access_token' in app.acquire_token_by_device_flow(flow)"""
_PROFILE = {ME: "$DOCS_GRAPH"}
_C_CONFIGURATION = {
    '\\"your-client-id\\"': '\\"your-client-id\\", \\"authority\\": \\"$DOCS_AUTHORITY\\", '
    '\\"authority_type\\": \\"entra\\"',
}  # fmt: skip
_C_TOKEN = "check(status == TESSERA_STATUS_OK, response); check_token(response);"
_CPP_CONFIGURATION = {
    'client_id = "your-client-id";': 'client_id = "your-client-id"; '
    'configuration.authority = "$DOCS_AUTHORITY"; configuration.authority_type = "entra";',
}  # fmt: skip
_CPP_TOKEN = "check_token(token);"
_GO_CONFIGURATION = {
    'ClientID: "your-client-id"': 'ClientID: "your-client-id", Authority: tessera.Ptr("$DOCS_AUTHORITY"), '
    'AuthorityType: tessera.Ptr("entra")',
}  # fmt: skip
_GO_TOKEN = 'check(err == nil && token.Account.Username == "alice@contoso.com")'
_JAVA_CONFIGURATION = {
    'Configuration.builder("your-client-id")': 'Configuration.builder("your-client-id")'
    '.authority("$DOCS_AUTHORITY").authorityType("entra")',
}  # fmt: skip
_JAVA_TOKEN = 'check(token.account().username().get().equals("alice@contoso.com"));'
_NODE_CONFIGURATION = {
    "clientId: 'your-client-id'": "clientId: 'your-client-id', authority: '$DOCS_AUTHORITY', "
    "authorityType: 'entra'",
}  # fmt: skip
_NODE_TOKEN = "assert.equal(token.account.username, 'alice@contoso.com');"
_RUBY_CONFIGURATION = {
    'client_id: "your-client-id"': 'client_id: "your-client-id", authority: "$DOCS_AUTHORITY", '
    'authority_type: "entra"',
}  # fmt: skip
_RUBY_TOKEN = 'check(token.account.username == "alice@contoso.com")'
_RUST_CONFIGURATION = {
    'client_id: "your-client-id".into()': 'client_id: "your-client-id".into(), '
    'authority: Some("$DOCS_AUTHORITY".into()), authority_type: Some("entra".into())',
}  # fmt: skip
_RUST_TOKEN = 'assert_eq!(token.account.username.as_deref(), Some("alice@contoso.com"));'
_SWIFT_CONFIGURATION = {'ApplicationConfiguration(clientID: "your-client-id")': 'atHome("your-client-id")'}
_SWIFT_ACCOUNT = 'let account = try PublicClientApplication(atHome("your-client-id")).account(AccountsRequest())'
_SHELL_TOKEN = "tessera token --client-id your-client-id --scope User.Read"
_FIRST_TOKEN_IN_SWIFT = Setting(
    client_id="",
    replaced={**_SWIFT_CONFIGURATION, f'"{ME}"': 'variable("DOCS_GRAPH")'},
    after='check(token)\ncheck(String(decoding: data, as: UTF8.self).contains("alice@contoso.com"))',
)
_CATALOGUE = "Sources/Tessera/Tessera.docc"
SETTINGS: dict[str, Setting] = {
    "README.md python 1": Setting(client_id="", replaced=_PROFILE, after="seen(token)"),
    "README.md swift 1": _FIRST_TOKEN_IN_SWIFT,
    "README.md c 1": Setting(client_id="", replaced={**_C_CONFIGURATION, **_PROFILE}),
    "README.md sh 1": Setting(
        before="sed -n '/^```c$/,/^```$/p' \"$ROOT/README.md\" | sed '/^```/d' >program.c", after="test -x program"
    ),
    "README.md sh 2": Setting(client_id="", replaced=_PROFILE),
    "bindings/python/README.md python 1": Setting(client_id="", after="seen(token)"),
    "bindings/python/README.md sh 2": Setting(
        replaced={"cd bindings": 'cd "$ROOT/bindings"', "-m pytest": "-m pytest --collect-only -q"}
    ),
    "docs/asynchronous.md c 1": Setting(
        replaced={
            "char *response;": "", "…   /* free": "return 1; /* free", "…             ": "return 1;",
            "/* Later,": "wait_for(tessera_call_group_descriptor(calls)); /* Later,",
            "show(event.user_data, event.response)": "tessera_string_free(event.response)",
            "finish(event.user_data, event.status, event.response)":
                '{ check(event.user_data == context, "the context"); check_token(event.response); '
                "tessera_string_free(event.response); }",
        },
        before='const char *request = "{\\"home_account_id\\": \\"\\", \\"username\\": \\"alice@contoso.com\\","\n'
        '  " \\"scopes\\": [\\"User.Read\\"], \\"force_refresh\\": true}"; void *context = &seen;',
        after='check(seen == 1, "one answer comes"); tessera_call_group_free(calls); response = NULL;',
    ),
    "docs/asynchronous.md python 1": Setting(
        after="seen(results[0])\nassert len(results) == 1\nassert len(shown) == 1"
    ),
    "docs/errors.md c 1": Setting(
        before='tessera_status status; const char *request = "{\\"username\\": \\"alice@contoso.com\\", '
        '\\"home_account_id\\": \\"\\", \\"scopes\\": [\\"User.Read\\"]}";',
        replaced={"ask_for_the_rest(response);": "return 1;"},
        after="check(status == TESSERA_STATUS_OK, response); check_token(response);",
    ),
    **{
        f"docs/other-runtimes.md sh {number}": Setting(
            enters_codes=True,
            replaced={
                "cd examples/": 'cp -r "$ROOT/examples" . && cd examples/',
                '{"client_id": "your-client-id"}':
                    '{"client_id": "your-client-id", "authority": "$DOCS_AUTHORITY", "authority_type": "entra"}',
            },
        )
        for number in range(1, 5)
    },
    "docs/brokers.md python 1": Setting(
        broker="client-id", after="assert token.access_token == 'a-token-of-the-broker'"
    ),
    "docs/brokers.md python 2": Setting(
        words=("authenticator",),
        before="import alice\nopener = 'com.microsoft.azureauthenticator'",
        replaced={"# open begun.url;": "opened = alice.authenticator(begun.url) #"},
        after="seen(result)",
    ),
    "docs/brokers.md c 1": Setting(
        before="tessera_status status;",
        words=("DOCS_REDIRECT_URI=msauth.com.contoso.app://auth",),
        replaced={"…  ": 'char *completion = opened(response, "authenticator"); tessera_string_free(response);  '},
        after="check(status == TESSERA_STATUS_OK, response); check_token(response); free(completion);",
    ),
    "docs/brokers.md swift 1": Setting(
        before="let application = try PublicClientApplication(forAuthenticator())\n"
        'let opener = "com.microsoft.azureauthenticator"',
        replaced={"// open begun.url;": 'let opened = opened(begun.url, in: "authenticator")  //'},
        after="check(result)",
    ),
    "docs/coming-from-adal.md python 1": Setting(
        before="import os, shutil\nos.mkdir(os.path.expanduser('~/.azure'))\n"
        "shutil.copy(os.environ['ROOT'] + '/Tests/Vectors/legacy-archives/generated-azure-cli.json',"
        " os.path.expanduser('~/.azure/accessTokens.json'))",
        replaced={"/home/me": "$HOME"},
        after="assert report.accounts",
    ),
    "docs/coming-from-adal.md sh 1": Setting(before=_ADAL_FILE, replaced={"/home/me": "$HOME"}),
    "docs/coming-from-adal.md swift 1": Setting(
        before='check(system("' + _ADAL_FILE.replace('"', '\\"') + '") == 0)',
        replaced={"/home/me": "\\(home)"}, after="check(!report.accounts.isEmpty)",
    ),
    "docs/coming-from-adal.md c 1": Setting(
        before='check(system("' + _ADAL_FILE.replace('"', '\\"') + '") == 0, "the cache is there");',
        replaced={"/home/me": "$HOME"},
        after="check(status == TESSERA_STATUS_OK, report); tessera_string_free(report);",
    ),
    "docs/coming-from-adal.md c 2": Setting(
        after="check(status == TESSERA_STATUS_OK, response); check_token(response);"
    ),
    "docs/coming-from-adal.md c 3": Setting(
        before="char *report, *exported = NULL;\nconst void *cache = NULL;\nsize_t size = 0;",
        after="check(status == TESSERA_STATUS_OK, exported); "
        'check(strstr(exported, "\\"data\\"") != NULL, exported); tessera_string_free(exported);',
    ),
    "docs/coming-from-adal.md swift 2": Setting(after="check(result)"),
    "docs/coming-from-adal.md swift 3": Setting(before="let keychain = Keychain()", after="check(!added.isEmpty)"),
    "docs/coming-from-adal.md swift 4": Setting(
        before="var cacheOfADAL = try application.exportSignIns(ExportRequest(format: .adalMacOS)).data",
        after="check(result)\ncheck(!cacheOfADAL.isEmpty)",
    ),
    "docs/coming-from-adal.md python 2": Setting(after="seen(result)"),
    "docs/coming-from-adal.md python 3": Setting(before="blob = None", after="assert blob"),
    "docs/coming-from-adal.md python 4": Setting(
        before="cache = application.export_sign_ins('adal_macos').data", after="seen(result)\nassert cache"
    ),
    "docs/coming-from-msal-apple.md swift 1": Setting(
        replaced={
            **_SWIFT_CONFIGURATION,
            '"https://login.microsoftonline.com/your-tenant"': 'variable("DOCS_AUTHORITY")',
        },
        after="check(try application.accounts().count == 1)",
    ),
    "docs/coming-from-msal-apple.md swift 2": Setting(client_id="", after="check(result)"),
    "docs/coming-from-msal-apple.md swift 3": Setting(after="check(try application.accounts().isEmpty)"),
    "docs/coming-from-msal-others.md c 1": Setting(
        before="static void (*const show)(void *, const char *) = NULL;\n  tessera_status status;",
        after='check(status == TESSERA_STATUS_OK, "the token is in the cache"); check_token(response);'
    ),
    "docs/coming-from-msal-python.md python 1": Setting(
        before="import alice, microsoft\nnetwork = microsoft.Network()", replaced=_MSAL_NETWORK, after=_MSAL_FLOW
    ),
    "docs/coming-from-msal-python.md python 2": Setting(after="assert result['token_source'] == 'cache'"),
    "docs/coming-from-msal-python.md python 3": Setting(
        before="import alice, microsoft\nnetwork = microsoft.Network()",
        replaced={**_MSAL_NETWORK, 'print(flow["message"])': 'alice.code(flow["user_code"])'},
        after="assert headers['Authorization'] != 'Bearer '",
    ),
    "docs/coming-from-msal-python.md python 4": Setting(
        client_id="",
        replaced={"claims=error.claims": "claims=error.claims, prompt_callback=show"},
        after="seen(result)",
    ),
    "docs/coming-from-msal-python.md python 5": Setting(before="app = application", after="seen(result)"),
    "docs/coming-from-msal-python.md python 6": Setting(
        before=f"{_MSAL_SIGNED_IN}\naccount = app.get_accounts()[0]", after="assert 'access_token' in result"
    ),
    "docs/coming-from-msal-python.md python 7": Setting(before="app = application", after="seen(result)"),
    "docs/coming-from-msal-python.md python 8": Setting(
        before=f"{_MSAL_SIGNED_IN}\nassert app.get_accounts()", after="assert not app.get_accounts()"
    ),
    "docs/coming-from-msal-python.md python 9": Setting(
        before="app = application", after="assert not app.get_accounts()"
    ),
    "docs/command-line.md sh 1": Setting(client_id=""),
    "docs/command-line.md toml 1": Setting(client_id=""),
    "docs/command-line.md sh 2": Setting(after='test "$(tessera profile list | wc -l)" = 2'),
    "docs/command-line.md sh 3": Setting(replaced=_PROFILE),
    "docs/command-line.md sh 4": Setting(
        before=f"tessera login --client-id {_AZURE_CLI} --scope User.Read\nmkdir .azure\n"
        "tessera store copy --msal-cache azure_cli --from-group default",
        replaced={"import az": 'import az --authority "$DOCS_AUTHORITY" --authority-type entra'},
        after="test -s token",
    ),
    "docs/explain.md console 1": Setting(client_id="6c0a8e0e"),
    "docs/guide-c.md c 1": Setting(client_id="", replaced=_C_CONFIGURATION),
    "docs/guide-c.md c 2": Setting(
        after='check(status == TESSERA_STATUS_OK && strstr(header, "Bearer ey") != NULL, header);'
    ),
    "docs/guide-c.md c 3": Setting(after=_C_TOKEN),
    "docs/guide-c.md c 4": Setting(client_id="", words=("DOCS_REDIRECT_URI=http://localhost",), after=_C_TOKEN),
    "docs/guide-c.md c 5": Setting(after=f'check(call != 0, "the call must wait"); {_C_TOKEN}'),
    "docs/guide-c.md c 6": Setting(
        after="tessera_string_free(response); "
        "status = tessera_application_get_accounts(application, NULL, NULL, &response); "
        'check(status == TESSERA_STATUS_OK && strcmp(response, "{\\"accounts\\":[]}") == 0, response);'
    ),
    "docs/guide-c.md c 8": Setting(client_id="", replaced=_C_CONFIGURATION, enters_codes=True),
    "docs/guide-c.md c 9": Setting(
        replaced=_C_CONFIGURATION,
        words=("sh", "-euc", '"$0" 2>log; grep -q Refreshing log; ! grep -q alice@contoso.com log'),
    ),
    "docs/guide-cpp.md cpp 1": Setting(client_id="", replaced=_CPP_CONFIGURATION),
    "docs/guide-cpp.md cpp 2": Setting(
        after=f'{_CPP_TOKEN} check(header.find("Bearer ey") != header.npos, "no token");'
    ),
    "docs/guide-cpp.md cpp 3": Setting(after=_CPP_TOKEN),
    "docs/guide-cpp.md cpp 4": Setting(client_id="", after=_CPP_TOKEN),
    "docs/guide-cpp.md cpp 5": Setting(after="check_token(*token);"),
    "docs/guide-cpp.md cpp 6": Setting(
        after='check(application.get_accounts()->accounts().empty(), "an account remains");'
    ),
    "docs/guide-cpp.md cpp 8": Setting(client_id="", replaced=_CPP_CONFIGURATION, enters_codes=True),
    "docs/guide-cpp.md cpp 9": Setting(
        replaced=_CPP_CONFIGURATION,
        words=("sh", "-euc", '"$0" 2>log; grep -q Refreshing log; ! grep -q alice@contoso.com log'),
    ),
    "docs/guide-go.md go 1": Setting(client_id="", replaced=_GO_CONFIGURATION),
    "docs/guide-go.md go 2": Setting(after=f'{_GO_TOKEN}\ncheck(len(header.Get("Authorization")) > 100)'),
    "docs/guide-go.md go 3": Setting(after=_GO_TOKEN),
    "docs/guide-go.md go 4": Setting(client_id="", after=_GO_TOKEN),
    "docs/guide-go.md go 5": Setting(after='check(token.Account.Username == "alice@contoso.com")'),
    "docs/guide-go.md go 6": Setting(
        after="list, err := application.Accounts(ctx, tessera.AccountsRequest{})\n"
        "check(err == nil && len(list.Accounts) == 0)"
    ),
    "docs/guide-go.md go 8": Setting(client_id="", replaced=_GO_CONFIGURATION, enters_codes=True),
    "docs/guide-go.md go 9": Setting(
        replaced=_GO_CONFIGURATION,
        words=("sh", "-euc", '"$0" 2>log; grep -q Refreshing log; ! grep -q alice@contoso.com log'),
    ),
    "docs/guide-java.md java 1": Setting(client_id="", replaced=_JAVA_CONFIGURATION),
    "docs/guide-java.md java 2": Setting(after=f"{_JAVA_TOKEN} check(header.length() > 100);"),
    "docs/guide-java.md java 3": Setting(after=_JAVA_TOKEN),
    "docs/guide-java.md java 4": Setting(client_id="", after=_JAVA_TOKEN),
    "docs/guide-java.md java 5": Setting(after=f"{_JAVA_TOKEN} check(count == 1);"),
    "docs/guide-java.md java 6": Setting(after="check(application.getAccounts().accounts().isEmpty());"),
    "docs/guide-java.md java 8": Setting(client_id="", replaced=_JAVA_CONFIGURATION, enters_codes=True),
    "docs/guide-java.md java 9": Setting(
        replaced=_JAVA_CONFIGURATION,
        words=("sh", "-euc", '"$0" "$@" 2>log; grep -q Refreshing log; ! grep -q alice@contoso.com log'),
    ),
    "docs/guide-node.md js 1": Setting(client_id="", replaced=_NODE_CONFIGURATION),
    "docs/guide-node.md js 2": Setting(
        after=f"{_NODE_TOKEN}\nassert.ok(headers.Authorization.startsWith('Bearer ey'));"
    ),
    "docs/guide-node.md js 3": Setting(after=_NODE_TOKEN),
    "docs/guide-node.md js 4": Setting(client_id="", after=_NODE_TOKEN),
    "docs/guide-node.md js 5": Setting(after=f"{_NODE_TOKEN}\nassert.equal(others.length, 2);"),
    "docs/guide-node.md js 6": Setting(
        after="assert.deepEqual((await application.getAccounts()).accounts, []);"
    ),
    "docs/guide-node.md js 8": Setting(client_id="", replaced=_NODE_CONFIGURATION, enters_codes=True),
    "docs/guide-node.md js 9": Setting(
        replaced=_NODE_CONFIGURATION,
        words=("sh", "-euc", '"$0" "$1" 2>log; grep -q Refreshing log; ! grep -q alice@contoso.com log'),
    ),
    "docs/guide-python.md python 1": Setting(client_id="", after="seen(token)"),
    "docs/guide-python.md python 2": Setting(
        after="seen(token)\nassert headers['Authorization'].startswith('Bearer ey')"
    ),
    "docs/guide-python.md python 3": Setting(after="seen(token)"),
    "docs/guide-python.md python 4": Setting(client_id="", after="seen(token)"),
    "docs/guide-python.md python 5": Setting(after="seen(token)"),
    "docs/guide-python.md python 6": Setting(after="assert not application.get_accounts()"),
    "docs/guide-python.md python 8": Setting(client_id="", enters_codes=True, after="seen(token)"),
    "docs/guide-python.md python 9": Setting(
        after="lines = open('myapp.log').read()\n"
        "assert 'Refreshing' in lines\nassert 'alice@contoso.com' not in lines"
    ),
    "docs/guide-ruby.md ruby 1": Setting(client_id="", replaced=_RUBY_CONFIGURATION, after=_RUBY_TOKEN),
    "docs/guide-ruby.md ruby 2": Setting(
        replaced=_PROFILE,
        after=f'{_RUBY_TOKEN}\ncheck(headers["Authorization"].start_with?("Bearer ey"))\n'
        'check(client.get(ENV.fetch("DOCS_GRAPH")).body.include?("alice@contoso.com"))',
    ),
    "docs/guide-ruby.md ruby 3": Setting(after=_RUBY_TOKEN),
    "docs/guide-ruby.md ruby 4": Setting(client_id="", after=_RUBY_TOKEN),
    "docs/guide-ruby.md ruby 5": Setting(after=_RUBY_TOKEN),
    "docs/guide-ruby.md ruby 6": Setting(after="check(application.accounts.empty?)"),
    "docs/guide-ruby.md ruby 8": Setting(
        client_id="", replaced=_RUBY_CONFIGURATION, enters_codes=True,
        after="check(application.accounts.size == 1)",
    ),
    "docs/guide-ruby.md ruby 9": Setting(
        replaced=_RUBY_CONFIGURATION,
        words=("sh", "-euc", '"$0" "$@" 2>log; grep -q Refreshing log; ! grep -q alice@contoso.com log'),
    ),
    "docs/guide-rust.md rust 1": Setting(client_id="", replaced=_RUST_CONFIGURATION),
    "docs/guide-rust.md rust 2": Setting(after=f"{_RUST_TOKEN} assert!(header.len() > 100);"),
    "docs/guide-rust.md rust 3": Setting(after=_RUST_TOKEN),
    "docs/guide-rust.md rust 4": Setting(client_id="", after=_RUST_TOKEN),
    "docs/guide-rust.md rust 5": Setting(after=_RUST_TOKEN),
    "docs/guide-rust.md rust 6": Setting(
        after="assert!(application.get_accounts(&AccountsRequest::default(), None)?.accounts.is_empty());"
    ),
    "docs/guide-rust.md rust 8": Setting(client_id="", replaced=_RUST_CONFIGURATION, enters_codes=True),
    "docs/guide-rust.md rust 9": Setting(
        replaced=_RUST_CONFIGURATION,
        words=("sh", "-euc", '"$0" 2>log; grep -q Refreshing log; ! grep -q alice@contoso.com log'),
    ),
    "docs/guide-shell.md sh 1": Setting(client_id="", after=_SHELL_TOKEN),
    "docs/guide-shell.md sh 2": Setting(replaced=_PROFILE),
    "docs/guide-shell.md sh 4": Setting(before="tessera logout", after=_SHELL_TOKEN),
    "docs/guide-shell.md sh 5": Setting(before="tessera logout", after=_SHELL_TOKEN),
    "docs/guide-shell.md sh 6": Setting(after='test -z "$(tessera accounts --client-id your-client-id)"'),
    "docs/guide-shell.md sh 8": Setting(
        client_id="", replaced={"=/var/lib/myapp": "=$HOME/volume"}, enters_codes=True,
        after=f"{_SHELL_TOKEN}\ntest -d $HOME/volume/data/tessera",
    ),
    "docs/guide-shell.md sh 9": Setting(
        after="grep -q Refreshing myscript.log\n! grep alice@contoso.com myscript.log"
    ),
    "docs/guide-swift.md swift 1": Setting(client_id="", replaced=_SWIFT_CONFIGURATION, after="check(token)"),
    "docs/guide-swift.md swift 2": Setting(
        after='check(token)\ncheck(headers["Authorization"]?.hasPrefix("Bearer ey") == true)'
    ),
    "docs/guide-swift.md swift 3": Setting(after="check(token)"),
    "docs/guide-swift.md swift 4": Setting(
        before=f"{_SWIFT_ACCOUNT}\ntry application.removeAccount(account)",
        after="if let token { check(token) } else { check(false) }",
    ),
    "docs/guide-swift.md swift 5": Setting(before=_SWIFT_ACCOUNT, after="check(try await token)"),
    "docs/guide-swift.md swift 6": Setting(
        before=_SWIFT_ACCOUNT, after="check(try application.accounts().isEmpty)"
    ),
    "docs/guide-swift.md swift 8": Setting(
        client_id="", replaced=_SWIFT_CONFIGURATION, enters_codes=True, after="check(token)"
    ),
    "docs/guide-swift.md swift 9": Setting(
        before=_SWIFT_ACCOUNT,
        replaced={**_SWIFT_CONFIGURATION, "print(level, message)": "shown.append(message)"},
        after='check(token)\ncheck(shown.contains { $0.contains("Refreshing") })\n'
        'check(!shown.contains { $0.contains("alice@contoso.com") })',
    ),
    "docs/interactive.md python 1": Setting(
        replaced={"...  ": "opened, state = shown[0], kept[0]  "}, after="seen(result)"
    ),
    "docs/interactive.md c 1": Setting(
        before="tessera_status status;",
        replaced={"…  ": 'char *completion = opened(response, "page"); tessera_string_free(response);  '},
        after="check(status == TESSERA_STATUS_OK, response); check_token(response); free(completion);",
    ),
    "docs/interactive.md swift 1": Setting(
        before='func waitForRedirect() -> String { "" }',
        after='check(OwnBrowserSession(redirectURI: "http://localhost").redirectURI == "http://localhost")',
    ),
    "docs/interactive.md swift 2": Setting(
        replaced={"…": "let (opened, state) = (shown[0], kept[0])"}, after="check(result)"
    ),
    "docs/metrics.md python 2": Setting(
        before="from types import SimpleNamespace\n"
        "totals = {}\n"
        "add = lambda name: SimpleNamespace(\n"
        "    add=lambda value, tags: totals.__setitem__(name, totals.get(name, 0) + value),\n"
        "    record=lambda value, tags: totals.__setitem__(name, totals.get(name, 0) + 1))\n"
        "meter = SimpleNamespace(create_counter=add, create_histogram=add)",
        after="assert totals['tessera.calls_succeeded'] == 1, totals\n"
        "assert totals['tessera.call_duration'] == 1, totals",
    ),
    "docs/metrics.md python 3": Setting(after="seen(token)"),
    "docs/metrics.md swift 1": Setting(
        client_id="", after="check(application.metrics().counters.contains { $0.name == .refreshesAdopted })",
    ),
    "docs/services.md python 1": Setting(
        client_id="",
        before="open('client-secret', 'w').write('the secret of the daemon')",
        replaced={'"your-client-id"': '"daemon"', 'tenant="your-tenant"': 'authority="$DOCS_TENANT"'},
        after="assert token.account.home_account_id == '' and token.source == 'network', token",
    ),
    "docs/services.md swift 1": Setting(
        client_id="",
        before='try "the secret of the daemon".write(toFile: "client-secret", atomically: true, encoding: .utf8)',
        replaced={
            'ApplicationConfiguration(clientID: "your-client-id")': 'atHome("daemon")',
            '"https://login.microsoftonline.com/your-tenant"': 'variable("DOCS_TENANT")',
        },
        after='check(token.source == .network)',
    ),
    "docs/services.md sh 1": Setting(
        client_id="",
        before="echo 'the secret of the daemon' >client-secret",
        replaced={
            "--client-id your-client-id --tenant your-tenant": "--client-id daemon --authority $DOCS_TENANT "
            "--authority-type entra",
        },
    ),
    "docs/host.md swift 1": Setting(
        client_id="",
        after='let device = DeviceCodeRequest(scopes: ["User.Read"])\n'
        "do {\n  _ = try await application.acquireTokenByDeviceCode(device) { _ in }\n"
        "  check(false)\n} catch let error as TesseraError { check(error.code == .networkFailed) }",
    ),
    "docs/host.md swift 2": Setting(client_id="", after="check(logged.host.transport != nil)"),
    "docs/host.md swift 3": Setting(client_id="", after="check(try application.accounts().isEmpty)"),
    "docs/host.md swift 4": Setting(client_id="", after='check(Table().version(of: "default") == 0)'),
    "docs/helpers.md sh 10": Setting(
        before="mkdir -m 700 run; export XDG_RUNTIME_DIR=$PWD/run; tessera helper add aws --scope User.Read "
        "--client-id your-client-id --endpoint https://sts.us-east-1.amazonaws.com "
        "arn:aws:iam::123456789012:role/Reader",
        after='test -s "$AWS_WEB_IDENTITY_TOKEN_FILE"',
    ),
    "docs/interactive.md sh 1": Setting(
        replaced={"--scope User.Read)": "--scope User.Read 2>output)", "tessera complete-login": _DRAWN}
    ),
    "docs/interactive.md console 1": Setting(replaced={"--client-id …": "--client-id your-client-id"}),
    "docs/interop.md python 1": Setting(
        after="seen_token = credential.get_token('https://vault.azure.net/.default')\nassert seen_token.token"
    ),
    "docs/interop.md python 2": Setting(
        before="import alice, microsoft\nnetwork = microsoft.Network()",
        replaced={"your-tenant": "contoso.onmicrosoft.com", "TokenCache(),": "TokenCache(), http_client=network,"},
        after=_MSAL_FLOW,
    ),
    "docs/local-provider.md console 1": Setting(stays=True),
    "docs/local-provider.md swift 1": Setting(
        after='check(result.account.username == LocalUser.alice.username)'
    ),
    "docs/local-provider.md swift 2": Setting(
        after="check(token)\ncheck(error.localizedDescription == error.message)"
    ),
    "docs/mail.md sh 2": Setting(
        client_id="",
        before="tessera login --profile mail --client-id your-client-id --scope User.Read",
        after="test -s message",
    ),
    "docs/performance.md sh 1": Setting(
        replaced={
            "build/bench/venv/bin/python Benchmarks/Python/page.py": 'test -e "$ROOT/Benchmarks/Python/page.py"'
        }
    ),
    "docs/store.md sh 1": Setting(
        storage=("--storage-policy", "allow_plaintext", "--key-source", "secret_service")
    ),
    f"{_CATALOGUE}/AccountsAndTokens.md swift 2": Setting(after="check(token)"),
    f"{_CATALOGUE}/AccountsAndTokens.md swift 3": Setting(after="check(try application.accounts().isEmpty)"),
    f"{_CATALOGUE}/ChoosingAStore.md swift 1": Setting(after="check(info.policy == .requireEncrypted)"),
    f"{_CATALOGUE}/GettingStarted.md swift 1": _FIRST_TOKEN_IN_SWIFT,
    f"{_CATALOGUE}/HandlingErrors.md swift 1": Setting(
        client_id="", after="check(try application.accounts().count == 1)"
    ),
    f"{_CATALOGUE}/ProvidingPorts.md swift 1": Setting(after="check(try !application.accounts().isEmpty)"),
    f"{_CATALOGUE}/TestingAnApplication.md swift 1": Setting(
        after="do {\n_ = try await application.acquireTokenSilent(\n"
        'SilentRequest(account: token.account, scopes: ["read"]))\ncheck(false)\n'
        "} catch let error as TesseraError { check(error.remedy == .retryLater) }"
    ),
    f"{_CATALOGUE}/TestingAnApplication.md swift 2": Setting(
        after="check(token)\ncheck(error.localizedDescription == error.message)"
    ),
}


def filled(text: str, given: Setting, environment: Mapping[str, str]) -> str:
    """Replaces the placeholders of a block; values may refer to four environment variables."""
    for placeholder, value in given.replaced.items():
        expect(placeholder in text, f"the page has no {placeholder!r} any more; see settings.py")
        for name in ("HOME", "DOCS_AUTHORITY", "DOCS_GRAPH", "DOCS_TENANT"):
            value = value.replace(f"${name}", environment.get(name, ""))
        text = text.replace(placeholder, value)
    return text


def setting(key: str) -> Setting:
    """Returns the context of a block."""
    return SETTINGS.get(key, Setting())
