/* SPDX-License-Identifier: MIT */
/* The window in which a user signs in. */
#ifndef TESSERA_WEBVIEW_WINDOW_H
#define TESSERA_WEBVIEW_WINDOW_H

#include "request.h"

/**
 * Shows the page of a request until the sign-in ends or the user closes the window.
 *
 * @return the exit status of the process.
 */
int window_run(const request *request);

#endif
