// Marks browsers that cache orders for offline work. Kept small because every page loads it; the rest loads on demand.
const key = 'penstock.offline'

/** `tenant/person` whose session may be restored offline, or `queueOnly`. */
export const offlineOwner = () => localStorage.getItem(key)
export const setOfflineOwner = (owner: string | null) => (owner ? localStorage.setItem(key, owner) : localStorage.removeItem(key))
/** Only unsent steps are stored. */
export const queueOnly = 'queue'

/** Deletes all cached data except the queue. */
export const eraseKept = () => {
  if (offlineOwner()) import('./kept.ts').then((kept) => kept.erase()).catch(() => undefined)
}
/** Number of the user's unsent steps. */
export const countWaiting = async (): Promise<number> => (offlineOwner() ? (await import('./queue.ts')).countWaiting() : 0)
/** Sends queued steps now and whenever the connection returns. */
export const startSending = () => {
  if (offlineOwner()) import('./queue.ts').then((queue) => queue.startSending()).catch(() => undefined)
}
let restoring: Promise<boolean> | undefined
const restore = async (error: unknown) => (await import('./kept.ts')).restoreSession(error)
/** Restores the cached session while the server is unreachable; concurrent callers share the result. */
export const restoreSession = async (error: unknown): Promise<boolean> => {
  if (offlineOwner() === null) return false
  restoring ??= restore(error)
    .catch(() => false)
    .finally(() => {
      restoring = undefined
    })
  return restoring
}
