// SPDX-License-Identifier: MIT
import azure from './azure.js';

export const { TesseraCredential } = azure;
