import { statfs } from 'node:fs/promises'
import { repeat } from '../jobs/repeat.ts'

/** `budget` in bytes; `warning` from 80 %, `full` when readings are refused. */
export type Disk = { used: number; budget: number; warning: boolean; full: boolean }

/** Anything with pino's two methods. */
export type Log = { warn: (fields: object, text: string) => void; error: (fields: object, text: string) => void }

/** How often the disk is measured: refusals begin and end with this delay, ms. */
const measureMs = 5000
/** Merging needs room beside what is there, bytes. */
const reserve = 256 * 1024 * 1024

/** Where a budget of 0 = what the disk has, less a reserve. A folder on another machine has its budget from settings only. */
export const measureDisk = async (folder: string, used: number, budgetBytes: number, local: boolean): Promise<Disk> => {
  const { bavail, bsize } = await statfs(folder)
  const free = Math.max(0, bavail * bsize - reserve)
  const limits = [...(budgetBytes > 0 ? [budgetBytes] : []), ...(local ? [used + free] : [])]
  const budget = Math.min(...limits, Number.MAX_SAFE_INTEGER)
  return { used, budget, warning: used >= 0.8 * budget, full: used >= budget }
}

/** Measures the disk every few seconds, and logs when the budget runs out and when it no longer does. */
export const watchDisk = async (measure: () => Promise<Disk>, log: Log) => {
  const listeners = new Set<(disk: Disk) => void>()
  let disk = await measure()
  const judge = (was?: Disk) => {
    const { used, budget, warning, full } = disk
    if (warning && !was?.warning) log.warn({ used, budget }, 'telemetry uses 80 % of its disk budget')
    if (was?.full && !full) log.warn({ used, budget }, 'telemetry has room again: readings are taken')
    if (full && !was?.full) log.error({ used, budget }, 'telemetry has used up its disk budget: readings are refused')
    if (was && (was.full !== full || was.warning !== warning)) for (const listener of listeners) listener(disk)
  }
  judge()
  const look = async () => {
    const was = disk
    disk = await measure()
    judge(was)
  }
  const { stop } = repeat(measureMs, look, (err) => log.error({ err }, 'the disk could not be measured'))
  /** Calls the listener when the disk becomes full or nearly full, and when it no longer is. */
  const onChange = (listener: (disk: Disk) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { now: () => disk, onChange, stop }
}
