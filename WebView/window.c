// SPDX-License-Identifier: MIT
// A window with WebKit that opens web pages only, until the redirect URI.

#include "window.h"

#include "address.h"

#include <glib-unix.h>
#include <webkit/webkit.h>

enum { WIDTH = 520, HEIGHT = 700, MAXIMUM_TRUST_CHECKS = 16 };

/** The state of one sign-in. */
typedef struct {
  const request *request;
  GMainLoop *loop;
  WebKitWebView *view;
  GtkWindow *window;
  /** The number of checks of hosts against the certificate file. */
  int trust_checks;
  int status;
} sign_in;

static void end(sign_in *self, int status) {
  self->status = status;
  g_main_loop_quit(self->loop);
}

// Sends a line to the library, and ends the sign-in if the library has exited.
static void send_line(sign_in *self, const char *keyword, const char *value) {
  if (!request_send(keyword, value)) end(self, 0);
}

static void refuse(sign_in *self, const char *address) {
  g_autofree char *scheme = g_uri_parse_scheme(address);
  send_line(self, "refused", scheme == NULL ? "no address" : scheme);
}

static gboolean decide_navigation(sign_in *self, WebKitNavigationPolicyDecision *decision) {
  WebKitNavigationAction *action = webkit_navigation_policy_decision_get_navigation_action(decision);
  WebKitURIRequest *request = webkit_navigation_action_get_request(action);
  const char *address = webkit_uri_request_get_uri(request);
  switch (address_decide(address, self->request->redirect)) {
  case ADDRESS_OPENED:
  case ADDRESS_FRAMED: return FALSE;
  case ADDRESS_REDIRECT:
    if (g_strcmp0(webkit_uri_request_get_http_method(request), "POST") == 0) {
      send_line(self, "posted", NULL);
    } else {
      send_line(self, "answer", address);
    }
    break;
  case ADDRESS_REFUSED:
    // A clicked link with another scheme, such as mailto, does nothing. Other refused navigations are reported.
    if (webkit_navigation_action_get_navigation_type(action) != WEBKIT_NAVIGATION_TYPE_LINK_CLICKED) {
      refuse(self, address);
    }
  }
  webkit_policy_decision_ignore(WEBKIT_POLICY_DECISION(decision));
  return TRUE;
}

static gboolean decide(
    WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer context) {
  (void)view;
  if (type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION) {
    return decide_navigation(context, WEBKIT_NAVIGATION_POLICY_DECISION(decision));
  }
  bool is_page = type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE
      && webkit_response_policy_decision_is_mime_type_supported(WEBKIT_RESPONSE_POLICY_DECISION(decision));
  if (is_page) return FALSE;
  // Do not open a second window or save a file.
  webkit_policy_decision_ignore(decision);
  return TRUE;
}

// Stops the load of a page with a refused URL, and shows the origin of the page in the title.
static void load_changed(WebKitWebView *view, WebKitLoadEvent event, gpointer context) {
  sign_in *self = context;
  const char *address = webkit_web_view_get_uri(view);
  if (address == NULL || event == WEBKIT_LOAD_FINISHED) return;
  if (address_decide(address, self->request->redirect) != ADDRESS_OPENED) {
    webkit_web_view_stop_loading(view);
    refuse(self, address);
    return;
  }
  if (event != WEBKIT_LOAD_COMMITTED) return;
  char title[80];
  address_title(address, title, sizeof(title));
  gtk_window_set_title(self->window, title);
}

static gboolean load_failed(
    WebKitWebView *view, WebKitLoadEvent event, char *address, GError *error, gpointer context) {
  (void)view, (void)event, (void)address, (void)context;
  // A navigation that decide() ignored must not show an error page.
  return g_error_matches(error, WEBKIT_POLICY_ERROR, WEBKIT_POLICY_ERROR_FRAME_LOAD_INTERRUPTED_BY_POLICY_CHANGE)
      || g_error_matches(error, WEBKIT_NETWORK_ERROR, WEBKIT_NETWORK_ERROR_CANCELLED);
}

// Returns whether the certificate file of the request trusts a host that the system does not trust.
static bool is_trusted(sign_in *self, const char *address, GTlsCertificate *certificate) {
  if (self->request->trust == NULL || self->trust_checks >= MAXIMUM_TRUST_CHECKS) return false;
  self->trust_checks++;
  g_autoptr(GTlsDatabase) trusted = g_tls_file_database_new(self->request->trust, NULL);
  g_autoptr(GSocketConnectable) host = g_network_address_parse_uri(address, 443, NULL);
  if (trusted == NULL || host == NULL) return false;
  GTlsCertificateFlags wrong = g_tls_database_verify_chain(
      trusted, certificate, G_TLS_DATABASE_PURPOSE_AUTHENTICATE_SERVER, host, NULL,
      G_TLS_DATABASE_VERIFY_NONE, NULL, NULL);
  return wrong == 0;
}

static gboolean untrusted(
    WebKitWebView *view, char *address, GTlsCertificate *certificate, GTlsCertificateFlags errors,
    gpointer context) {
  (void)errors;
  if (is_trusted(context, address, certificate)) {
    g_autoptr(GUri) uri = g_uri_parse(address, G_URI_FLAGS_NONE, NULL);
    WebKitNetworkSession *session = webkit_web_view_get_network_session(view);
    webkit_network_session_allow_tls_certificate_for_host(session, certificate, g_uri_get_host(uri));
    webkit_web_view_load_uri(view, address);
    return TRUE;
  }
  char origin[300];
  address_origin(address, origin, sizeof(origin));
  g_autofree char *issuer = g_tls_certificate_get_issuer_name(certificate);
  g_autofree char *details = g_strdup_printf("%s %s", origin, issuer == NULL ? "" : issuer);
  send_line(context, "untrusted", details);
  return TRUE;
}

static void process_ended(WebKitWebView *view, WebKitWebProcessTerminationReason reason, gpointer context) {
  (void)view, (void)reason;
  send_line(context, "failed", "the process of the page exited");
  end(context, 70);
}

static gboolean closed(GtkWindow *window, gpointer context) {
  (void)window;
  send_line(context, "closed", NULL);
  end(context, 0);
  return TRUE;
}

// The library sends nothing after the request. The end of the input ends the sign-in.
static gboolean input_ready(int descriptor, GIOCondition condition, gpointer context) {
  (void)condition;
  char byte;
  if (read(descriptor, &byte, 1) > 0) return G_SOURCE_CONTINUE;
  end(context, 0);
  return G_SOURCE_REMOVE;
}

// Suppresses the default action of a WebKit signal.
static gboolean nothing(void) {
  return TRUE;
}

static gboolean deny(WebKitWebView *view, WebKitPermissionRequest *request, gpointer context) {
  (void)view, (void)context;
  webkit_permission_request_deny(request);
  return TRUE;
}

static void cancel_download(WebKitNetworkSession *session, WebKitDownload *download, gpointer context) {
  (void)session, (void)context;
  webkit_download_cancel(download);
}

static WebKitNetworkSession *make_session(const request *request) {
  if (!request->is_shared) return webkit_network_session_new_ephemeral();
  g_autofree char *data = g_build_filename(g_get_user_data_dir(), "tessera", "webview", NULL);
  g_autofree char *cache = g_build_filename(g_get_user_cache_dir(), "tessera", "webview", NULL);
  g_mkdir_with_parents(data, 0700);
  g_mkdir_with_parents(cache, 0700);
  WebKitNetworkSession *session = webkit_network_session_new(data, cache);
  g_autofree char *cookies = g_build_filename(data, "cookies.sqlite", NULL);
  webkit_cookie_manager_set_persistent_storage(
      webkit_network_session_get_cookie_manager(session), cookies, WEBKIT_COOKIE_PERSISTENT_STORAGE_SQLITE);
  return session;
}

static void set_proxy(const request *request, WebKitNetworkSession *session) {
  if (request->proxy == NULL) return;
  if (*request->proxy == 0) {
    webkit_network_session_set_proxy_settings(session, WEBKIT_NETWORK_PROXY_MODE_NO_PROXY, NULL);
    return;
  }
  g_auto(GStrv) direct = g_strsplit(request->direct == NULL ? "" : request->direct, ",", -1);
  for (char **host = direct; *host != NULL; host++) g_strstrip(*host);
  WebKitNetworkProxySettings *settings =
      webkit_network_proxy_settings_new(request->proxy, (const char *const *)direct);
  webkit_network_session_set_proxy_settings(session, WEBKIT_NETWORK_PROXY_MODE_CUSTOM, settings);
  webkit_network_proxy_settings_free(settings);
}

static WebKitSettings *make_settings(void) {
  return webkit_settings_new_with_settings(
      "hardware-acceleration-policy", WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER,
      "javascript-can-open-windows-automatically", FALSE, "enable-developer-extras", FALSE,
      "enable-page-cache", FALSE, NULL);
}

static void connect_signals(sign_in *self, WebKitNetworkSession *session) {
  WebKitWebView *view = self->view;
  webkit_network_session_set_tls_errors_policy(session, WEBKIT_TLS_ERRORS_POLICY_FAIL);
  webkit_network_session_set_persistent_credential_storage_enabled(session, FALSE);
  g_signal_connect(session, "download-started", G_CALLBACK(cancel_download), self);
  g_signal_connect(view, "decide-policy", G_CALLBACK(decide), self);
  g_signal_connect(view, "load-changed", G_CALLBACK(load_changed), self);
  g_signal_connect(view, "load-failed", G_CALLBACK(load_failed), self);
  g_signal_connect(view, "load-failed-with-tls-errors", G_CALLBACK(untrusted), self);
  g_signal_connect(view, "web-process-terminated", G_CALLBACK(process_ended), self);
  g_signal_connect(view, "permission-request", G_CALLBACK(deny), self);
  g_signal_connect(view, "context-menu", G_CALLBACK(nothing), self);
  g_signal_connect(view, "run-file-chooser", G_CALLBACK(nothing), self);
  g_signal_connect(view, "print", G_CALLBACK(nothing), self);
  g_signal_connect(self->window, "close-request", G_CALLBACK(closed), self);
  g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP | G_IO_ERR, input_ready, self);
}

int window_run(const request *request) {
  if (!gtk_init_check()) {
    request_send("unavailable", "there is no display");
    return 69;
  }
  sign_in self = {.request = request, .loop = g_main_loop_new(NULL, FALSE)};
  WebKitNetworkSession *session = make_session(request);
  set_proxy(request, session);
  WebKitSettings *settings = make_settings();
  self.view = WEBKIT_WEB_VIEW(
      g_object_new(WEBKIT_TYPE_WEB_VIEW, "network-session", session, "settings", settings, NULL));
  self.window = GTK_WINDOW(gtk_window_new());
  gtk_window_set_default_size(self.window, WIDTH, HEIGHT);
  // A separate header bar, so that every desktop shows the origin of the page.
  gtk_window_set_titlebar(self.window, gtk_header_bar_new());
  gtk_window_set_title(self.window, "");
  gtk_window_set_child(self.window, GTK_WIDGET(self.view));
  connect_signals(&self, session);
  webkit_web_view_load_uri(self.view, request->page);
  gtk_window_present(self.window);
  g_main_loop_run(self.loop);
  gtk_window_destroy(self.window);
  return self.status;
}
