// Only the server's own account can read the data folder.
import { chmodSync, type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const others = 0o077
/** PostgreSQL may run as another account, and keeps its own folder closed. */
const notOurs = ['postgres']

/** New files and folders are ours alone. Only for processes that keep data: packages and the console are everybody's to read. */
export const keepFilesPrivate = () => process.platform !== 'win32' && process.umask(others)

/**
 * Closes what an earlier version left open in the data folder. Not the folder itself, which PostgreSQL's account may have to pass, and
 * nothing behind a link. Answers the first thing that another account owns, if there is one: only its owner can close it.
 */
export const closeFolder = (folder: string): string | undefined => {
  let foreign: string | undefined
  const close = (path: string, entry: Dirent) => {
    if (entry.isSymbolicLink() || !(entry.isFile() || entry.isDirectory())) return
    const { mode } = lstatSync(path, { throwIfNoEntry: false }) ?? { mode: 0 }
    try {
      if (mode & others) chmodSync(path, mode & 0o700)
      if (entry.isDirectory()) for (const inner of readdirSync(path, { withFileTypes: true })) close(join(path, inner.name), inner)
    } catch {
      foreign ??= path
    }
  }
  if (process.platform !== 'win32' && lstatSync(folder, { throwIfNoEntry: false }))
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (!notOurs.includes(entry.name)) close(join(folder, entry.name), entry)
  return foreign
}
