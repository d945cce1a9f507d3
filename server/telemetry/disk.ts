import { statfs } from 'node:fs/promises'

/** `budget` in bytes; `warning` from 80 %, `full` when readings are refused. */
export type Disk = { used: number; budget: number; warning: boolean; full: boolean }

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
