// One process a data folder. The kernel keeps the lock: it holds across containers, and ends with the process, however that ends.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

/** A process that is being killed keeps its lock until its memory is free. ms. */
const patience = { all: 3000, each: 100 }
const sqliteBusy = 5

/** Start time of a process, from the kernel. A later process with the same number started later. Zombies count as dead. */
const began = (pid: number): string | undefined => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')
    return fields?.[0] === 'Z' ? undefined : fields?.[19]
  } catch {
    return undefined
  }
}

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

/** SQLite locks a file on every system. Its transaction stays open and writes nothing. Undefined while another process has the lock. */
const tryLock = (path: string) => {
  const database = new DatabaseSync(path)
  try {
    database.exec('begin exclusive')
    return database
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined
    throw error
  }
}

/** The file names the holder of the lock. Versions without another lock left the host out. */
const read = (path: string) => {
  const [pid = '', start = '', host] = existsSync(path) ? readFileSync(path, 'utf8').split(' ') : []
  return { pid, start, host }
}
const isOlderServer = ({ pid, start, host }: ReturnType<typeof read>) => {
  const other = Number(pid)
  return host === undefined && other > 0 && alive(other) && (!start || began(other) === start)
}

/** Answers the function that ends the lock, or undefined while another process has it. */
export const tryLockFolder = async (folder: string): Promise<(() => void) | undefined> => {
  const path = join(folder, 'server.lock')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const end = performance.now() + patience.all; performance.now() < end; await pause(patience.each)) {
      const lock = tryLock(join(folder, 'lock.sqlite'))
      if (lock && !isOlderServer(read(path))) {
        writeFileSync(path, `${process.pid} ${began(process.pid) ?? ''} ${hostname()}`, { mode: 0o600 })
        return () => {
          rmSync(path, { force: true })
          lock.close()
        }
      }
      lock?.close()
    }
    return undefined
  } catch (error) {
    throw new Error(`The data folder ${folder} cannot be written: ${(error as Error).message}`)
  }
}

/** A second server is refused after a few seconds. A killed one is no obstacle. */
export const lockFolder = async (folder: string): Promise<() => void> => {
  const unlock = await tryLockFolder(folder)
  if (unlock) return unlock
  const { pid, host } = read(join(folder, 'server.lock'))
  const who = `process ${pid}${host ? ` on ${host}` : ''}`
  throw new Error(`Penstock is already running on ${folder} (${who}). Stop it, or choose another folder with PENSTOCK_DATA.`)
}
