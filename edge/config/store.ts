import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Config, configHash } from './assembly.ts'
import { check } from './check.ts'

const name = 'config.json'

/** The applied configuration in this folder; undefined if there is none or the file is damaged (the server then pushes again). */
export const loadConfig = async (folder: string): Promise<Config | undefined> => {
  try {
    const { Hash, ...config } = JSON.parse(await readFile(join(folder, name), 'utf8')) as Config & { Hash: string }
    return Hash === configHash(config) && !check(config) ? config : undefined
  } catch {
    return undefined
  }
}

/** Writes atomically: after a power cut, the file is either the old or the new configuration. */
export const saveConfig = async (folder: string, config: Config) => {
  const path = join(folder, name)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify({ ...config, Hash: configHash(config) }))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  if (process.platform === 'win32') return
  const directory = await open(dirname(path))
  await directory.sync().finally(() => directory.close())
}
