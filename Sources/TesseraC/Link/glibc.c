// SPDX-License-Identifier: MIT
// Replaces functions that only newer versions of glibc have, so that release builds load with glibc 2.34.
// scripts/build-release links this file into all products, with --wrap for each function.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

// hypot() and hypotf() have new versions in glibc 2.35. The wider type holds the squares of all values.
double wrapped_hypot(double x, double y) __asm__("__wrap_hypot");
double wrapped_hypot(double x, double y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (double)sqrtl((long double)x * (long double)x + (long double)y * (long double)y);
}

float wrapped_hypotf(float x, float y) __asm__("__wrap_hypotf");
float wrapped_hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (float)sqrt((double)x * (double)x + (double)y * (double)y);
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE

typedef struct {
  uintptr_t address;
  struct dl_find_object *result;
} search;

// Stores the segments and the unwind table of a loaded object if it contains the address.
static int compare_object(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  const search *wanted = context;
  uintptr_t start = UINTPTR_MAX, end = 0;
  void *frames = NULL;
  for (size_t index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    uintptr_t address = object->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_GNU_EH_FRAME) frames = (void *)address;
    if (segment->p_type != PT_LOAD) continue;
    if (address < start) start = address;
    if (address + segment->p_memsz > end) end = address + segment->p_memsz;
  }
  if (frames == NULL || wanted->address < start || wanted->address >= end) return 0;
  *wanted->result = (struct dl_find_object){
      .dlfo_map_start = (void *)start, .dlfo_map_end = (void *)end, .dlfo_eh_frame = frames};
  return 1;
}

// glibc has had _dl_find_object() since version 2.35. The static libgcc calls it for C++ exceptions, such as when no memory
// is left.
int find_object(void *address, struct dl_find_object *result) __asm__("__wrap__dl_find_object");
int find_object(void *address, struct dl_find_object *result) {
  search wanted = {.address = (uintptr_t)address, .result = result};
  return dl_iterate_phdr(compare_object, &wanted) == 1 ? 0 : -1;
}

#endif
