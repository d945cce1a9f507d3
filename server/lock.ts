import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** When a process began, as the kernel says: tells a process from a later one that got its number. */
const began = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19]
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

/** One server a data folder: the second is refused, a killed one is no obstacle. Answers the function that gives it back. */
export const lockFolder = (folder: string): (() => void) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'server.lock')
  for (let again = false; ; again = true) {
    try {
      const file = openSync(path, 'wx', 0o600)
      writeSync(file, `${process.pid} ${began(process.pid) ?? ''}`)
      closeSync(file)
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST')
        throw new Error(`The data folder ${folder} cannot be written: ${(error as Error).message}`)
      const [pid = '', start = ''] = readFileSync(path, 'utf8').split(' ')
      const other = Number(pid)
      if (again || (other > 0 && alive(other) && (!start || began(other) === start)))
        throw new Error(`Penstock is already running on ${folder} (process ${pid}). Stop it, or choose another folder with PENSTOCK_DATA.`)
      rmSync(path, { force: true })
    }
  }
}
