/* SPDX-License-Identifier: MIT */
/* The window in which a person signs in. */
#ifndef TESSERA_WEBVIEW_WINDOW_H
#define TESSERA_WEBVIEW_WINDOW_H

#include "request.h"

/**
 * Shows the page of a request until the library has heard enough, or the person closes the window.
 *
 * @return the status with which the process ends.
 */
int window_run(const request *request);

#endif
