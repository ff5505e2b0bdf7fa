// SPDX-License-Identifier: MIT
// Detection of network file systems: by the type that the kernel reports, and for FUSE by the type of the mount.

#define _GNU_SOURCE
#include <ctessera_descriptors.h>

#include "ctessera_store.h"

#ifdef __linux__

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

// From linux/magic.h, and from the headers of file systems outside the kernel.
static const uint32_t remote_types[] = {
    0x6969,     // NFS
    0xFF534D42, // CIFS
    0xFE534D42, // SMB2 and later
    0x517B,     // SMB
    0x01021997, // 9p
    0x5346414F, // AFS (OpenAFS, and the kernel's first one)
    0x6B414653, // AFS
    0x00C36400, // Ceph
    0x0BD00BD0, // Lustre
    0x47504653, // GPFS
    0x01161970, // GFS2
    0x7461636F, // OCFS2
    0x564C,     // NCP
    0x73757245, // Coda
    0x19830326, // BeeGFS
};
enum { fuse = 0x65735546 };

static const char *const remote_mounts[] = {
    "fuse.sshfs", "fuse.rclone", "fuse.glusterfs", "fuse.ceph-fuse", "fuse.s3fs", "fuse.gcsfuse",
    "fuse.smbnetfs", "fuse.curlftpfs", "fuse.davfs", "fuse.juicefs", "fuse.mfs", "fuse.gvfsd-fuse",
};

/// Returns whether a line of /proc/self/mountinfo (proc(5)) describes a network mount of a device.
static bool is_remote_mount(const char *line, dev_t device) {
  unsigned first, second;
  char type[64];
  const char *separator = strstr(line, " - ");
  if (sscanf(line, "%*d %*d %u:%u", &first, &second) != 2) return false;
  if (first != major(device) || second != minor(device) || separator == NULL) return false;
  if (sscanf(separator, " - %63s", type) != 1) return false;
  for (size_t i = 0; i < sizeof remote_mounts / sizeof *remote_mounts; i++)
    if (strcmp(type, remote_mounts[i]) == 0) return true;
  return false;
}

static bool is_remote_fuse_mount(const char *path) {
  struct stat status;
  ctessera_fill_standard_descriptors();
  FILE *mounts = stat(path, &status) == 0 ? fopen("/proc/self/mountinfo", "re") : NULL;
  if (mounts == NULL) return false;
  char line[4096];
  bool result = false;
  while (!result && fgets(line, sizeof line, mounts) != NULL)
    result = is_remote_mount(line, status.st_dev);
  fclose(mounts);
  return result;
}

/// Shortens a path to its nearest existing parent. Returns false if there is none.
static bool shorten_to_existing(char *path, struct statfs *status) {
  while (statfs(path, status) != 0) {
    char *slash = strrchr(path, '/');
    if (errno != ENOENT || slash == NULL || slash == path) return false;
    *slash = '\0';
  }
  return true;
}

bool ctessera_is_remote(const char *wanted) {
  struct statfs status;
  char path[4096];
  if (snprintf(path, sizeof path, "%s", wanted) >= (int)sizeof path) return false;
  if (!shorten_to_existing(path, &status)) return false;
  uint32_t type = (uint32_t)status.f_type;
  for (size_t i = 0; i < sizeof remote_types / sizeof *remote_types; i++)
    if (remote_types[i] == type) return true;
  return type == fuse && is_remote_fuse_mount(path);
}

#else

bool ctessera_is_remote(const char *path) {
  (void)path;
  return false;
}

#endif
