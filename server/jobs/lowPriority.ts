import { setPriority } from 'node:os'

/** On Linux, priority applies to this thread only: ingest and calls go first. */
export const lowerPriority = () => {
  if (process.platform === 'linux') setPriority(10)
}
