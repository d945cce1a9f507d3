// Preloaded into every program that writes into a folder: beside it grows what a power cut would leave of it. Only fsync, fdatasync,
// syncfs and sync bring something there. A file's data and its present name are on disk after a sync of the file, as on ext4 and XFS;
// renames and removals after a sync of their folder, and never before.
//   POWER_ROOT    the folder                    POWER_SHADOW/by/<device>-<inode>   what is on disk of a file
//   POWER_IGNORE  syncs do nothing: a disk      POWER_SHADOW/tree/<path>           its name on disk, a hard link to that
//                 that lies                     POWER_SHADOW/cut                   the power is gone: syncs never end
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *root, *shadow;
static size_t root_length;
static int ignores;
static int (*real_rename)(const char *, const char *);
static int (*real_unlink)(const char *);

__attribute__((constructor)) static void begin(void) {
  root = getenv("POWER_ROOT");
  shadow = getenv("POWER_SHADOW");
  if (!root || !shadow) return;
  // PostgreSQL writes its title over its environment.
  root = strdup(root);
  shadow = strdup(shadow);
  root_length = strlen(root);
  ignores = getenv("POWER_IGNORE") != NULL;
  real_rename = dlsym(RTLD_NEXT, "rename");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
}

/** What follows the folder in a path: "" for itself, "/x" below it, NULL elsewhere. */
static const char *below(const char *path) {
  if (!root || strncmp(path, root, root_length)) return NULL;
  const char *rest = path + root_length;
  return *rest == 0 || *rest == '/' ? rest : NULL;
}

static void name_by(char *out, const struct stat *s) {
  snprintf(out, PATH_MAX, "%s/by/%lx-%lx", shadow, (unsigned long)s->st_dev, (unsigned long)s->st_ino);
}

static void make_folders(const char *path) {
  char part[PATH_MAX];
  snprintf(part, sizeof part, "%s", path);
  for (char *slash = part + strlen(shadow) + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    if (mkdir(part, 0777) == 0) chmod(part, 0777);
    *slash = '/';
  }
}

/** Gives `by` the name `tree`, whatever had it before. */
static void name_it(const char *by, const char *tree) {
  struct stat a, b;
  if (stat(by, &a)) return;
  if (lstat(tree, &b) == 0 && a.st_ino == b.st_ino) return;
  char fresh[PATH_MAX + 32];
  make_folders(tree);
  snprintf(fresh, sizeof fresh, "%s.%d-%p.powercut", tree, (int)getpid(), (void *)&a);
  real_unlink(fresh);
  if (link(by, fresh) == 0 && real_rename(fresh, tree)) real_unlink(fresh);
}

/** Blocks that differ are written: also those that another process has changed. */
static void save(int from, const struct stat *s, const char *by) {
  enum { chunk = 1 << 20, block = 4096 };
  int to = open(by, O_RDWR | O_CREAT | O_CLOEXEC, (s->st_mode & 0777) | 0600);
  if (to < 0) return;
  char *a = malloc(chunk), *b = malloc(chunk);
  off_t at = 0;
  for (ssize_t n; (n = pread(from, a, chunk, at)) > 0; at += n) {
    ssize_t m = pread(to, b, n, at);
    for (ssize_t i = 0; i < n; i += block) {
      ssize_t size = n - i < block ? n - i : block;
      if (m < i + size || memcmp(a + i, b + i, size)) if (pwrite(to, a + i, size, at + i) != size) abort();
    }
  }
  if (ftruncate(to, at)) abort();
  free(a);
  free(b);
  close(to);
}

static void drop(const char *path) {
  DIR *dir = opendir(path);
  if (!dir) {
    real_unlink(path);
    return;
  }
  for (struct dirent *e; (e = readdir(dir));) {
    char child[PATH_MAX];
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
    snprintf(child, sizeof child, "%s/%s", path, e->d_name);
    drop(child);
  }
  closedir(dir);
  rmdir(path);
}

/** The names in a folder are on disk; of files that were never synced, nothing else is. `moved`: a folder that has its name since now. */
static void save_folder(const char *path, const char *rest, int moved) {
  char tree[PATH_MAX], live[PATH_MAX], name[PATH_MAX], by[PATH_MAX];
  snprintf(tree, sizeof tree, "%s/tree%s/", shadow, rest);
  make_folders(tree);
  DIR *dir = opendir(path);
  if (!dir) return;
  for (struct dirent *e; (e = readdir(dir));) {
    struct stat s;
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
    snprintf(live, sizeof live, "%s/%s", path, e->d_name);
    snprintf(name, sizeof name, "%s%s", tree, e->d_name);
    if (lstat(live, &s)) continue;
    if (S_ISREG(s.st_mode)) {
      name_by(by, &s);
      if (access(by, F_OK)) {
        if (moved) continue;
        int fd = open(by, O_WRONLY | O_CREAT | O_CLOEXEC, (s.st_mode & 0777) | 0600);
        if (fd >= 0) close(fd);
      }
      name_it(by, name);
    } else if (S_ISDIR(s.st_mode) && access(name, F_OK)) {
      char sub[PATH_MAX];
      snprintf(sub, sizeof sub, "%s/%s", rest, e->d_name);
      save_folder(live, sub, 1);
    }
  }
  closedir(dir);
  if (moved || !(dir = opendir(tree))) return;
  for (struct dirent *e; (e = readdir(dir));) {
    struct stat s;
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || strstr(e->d_name, ".powercut")) continue;
    snprintf(live, sizeof live, "%s/%s", path, e->d_name);
    snprintf(name, sizeof name, "%s%s", tree, e->d_name);
    if (lstat(live, &s)) drop(name);
  }
  closedir(dir);
}

static void wait_for_the_end(void) {
  char cut[PATH_MAX];
  snprintf(cut, sizeof cut, "%s/cut", shadow);
  while (access(cut, F_OK) == 0) usleep(10000);
}

static int sync_one(int fd) {
  if (!root || !shadow) return 0;
  char link_name[64], path[PATH_MAX], tree[PATH_MAX], by[PATH_MAX];
  struct stat s;
  if (fstat(fd, &s)) return -1;
  snprintf(link_name, sizeof link_name, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link_name, path, sizeof path - 1);
  if (n <= 0) return 0;
  path[n] = 0;
  const char *rest = below(path);
  if (!rest) return 0;
  wait_for_the_end();
  int before = errno;
  if (!ignores && S_ISDIR(s.st_mode)) save_folder(path, rest, 0);
  if (!ignores && S_ISREG(s.st_mode) && s.st_nlink > 0) {
    int from = open(link_name, O_RDONLY | O_CLOEXEC);
    if (from < 0) abort();
    name_by(by, &s);
    save(from, &s, by);
    close(from);
    snprintf(tree, sizeof tree, "%s/tree%s", shadow, rest);
    name_it(by, tree);
  }
  errno = before;
  return 0;
}

int fsync(int fd) { return sync_one(fd); }
int fdatasync(int fd) { return sync_one(fd); }

static void sync_all(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  struct stat s;
  if (fd < 0) return;
  sync_one(fd);
  if (fstat(fd, &s) == 0 && S_ISDIR(s.st_mode)) {
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));) {
      char child[PATH_MAX];
      if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
      snprintf(child, sizeof child, "%s/%s", path, e->d_name);
      sync_all(child);
    }
    if (dir) closedir(dir);
  }
  close(fd);
}
int syncfs(int fd) {
  (void)fd;
  if (root) sync_all(root);
  return 0;
}
void sync(void) {
  if (root) sync_all(root);
}

/** An inode's number may be given again: what is on disk under it keeps its name there, and only that. */
static int last_name(int folder, const char *path, char *by) {
  char whole[PATH_MAX], cwd[PATH_MAX];
  struct stat s;
  if (!root || !shadow) return 0;
  if (path[0] == '/') snprintf(whole, sizeof whole, "%s", path);
  else if (folder == AT_FDCWD) {
    if (!getcwd(cwd, sizeof cwd)) return 0;
    snprintf(whole, sizeof whole, "%s/%s", cwd, path);
  } else {
    char link_name[64];
    snprintf(link_name, sizeof link_name, "/proc/self/fd/%d", folder);
    ssize_t n = readlink(link_name, cwd, sizeof cwd - 1);
    if (n <= 0) return 0;
    cwd[n] = 0;
    snprintf(whole, sizeof whole, "%s/%s", cwd, path);
  }
  if (!below(whole) || lstat(whole, &s) || !S_ISREG(s.st_mode) || s.st_nlink != 1) return 0;
  name_by(by, &s);
  return 1;
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)
/** Runs `call`; when it takes the last name from a file, forgets its number. */
#define FORGETTING(folder, path, call) \
  char by[PATH_MAX]; \
  int last = last_name(folder, path, by); \
  int answer = call; \
  if (last && answer == 0) { int before = errno; real_unlink(by); errno = before; } \
  return answer

int unlink(const char *path) {
  REAL(unlink);
  FORGETTING(AT_FDCWD, path, real(path));
}
int unlinkat(int folder, const char *path, int flags) {
  REAL(unlinkat);
  FORGETTING(folder, path, real(folder, path, flags));
}
int remove(const char *path) {
  REAL(remove);
  FORGETTING(AT_FDCWD, path, real(path));
}
int rename(const char *from, const char *to) {
  REAL(rename);
  FORGETTING(AT_FDCWD, to, real(from, to));
}
int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  REAL(renameat);
  FORGETTING(to_folder, to, real(from_folder, from, to_folder, to));
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  REAL(renameat2);
  FORGETTING(to_folder, to, real(from_folder, from, to_folder, to, flags));
}
