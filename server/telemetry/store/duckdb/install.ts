import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'

/** Puts a file in place so that it survives a power cut: sync it, rename it, sync the folder. */
export const install = async (folder: string, temporary: string, name: string) => {
  const handle = await open(join(folder, temporary), 'r+')
  await handle.sync()
  const { size } = await handle.stat()
  await handle.close()
  await rename(join(folder, temporary), join(folder, name))
  // Windows has no handle on a folder; its file system logs renames by itself.
  const directory = process.platform === 'win32' ? undefined : await open(folder, 'r')
  await directory?.sync()
  await directory?.close()
  return size
}
