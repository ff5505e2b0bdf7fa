/* SPDX-License-Identifier: MIT */
/**
 * @file declarations.h
 * Macros around declarations: C linkage in C++, and nullability for compilers that support it. Include tessera.h.
 */
#ifndef TESSERA_DECLARATIONS_H
#define TESSERA_DECLARATIONS_H

#ifdef __cplusplus
#define TESSERA_BEGIN_LANGUAGE extern "C" {
#define TESSERA_END_LANGUAGE }
#else
#define TESSERA_BEGIN_LANGUAGE
#define TESSERA_END_LANGUAGE
#endif

/* A pointer may be NULL only if it is marked with TESSERA_NULLABLE. */
#if defined(__clang__)
#define TESSERA_NULLABLE _Nullable
#define TESSERA_BEGIN_DECLARATIONS                                              \
  _Pragma("clang diagnostic push")                                              \
  _Pragma("clang diagnostic ignored \"-Wnullability-extension\"")               \
  _Pragma("clang assume_nonnull begin") TESSERA_BEGIN_LANGUAGE
#define TESSERA_END_DECLARATIONS                                                \
  TESSERA_END_LANGUAGE                                                          \
  _Pragma("clang assume_nonnull end") _Pragma("clang diagnostic pop")
#else
#define TESSERA_NULLABLE
#define TESSERA_BEGIN_DECLARATIONS TESSERA_BEGIN_LANGUAGE
#define TESSERA_END_DECLARATIONS TESSERA_END_LANGUAGE
#endif

#endif /* TESSERA_DECLARATIONS_H */
