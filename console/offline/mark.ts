// Whether this browser keeps orders for work without signal. Small: every page reads it, the rest loads only where it is set.
const key = 'penstock.offline'

/** `tenant/person` whose session may be restored without signal, or what `queueOnly` says. */
export const offlineOwner = () => localStorage.getItem(key)
export const setOfflineOwner = (owner: string | null) => (owner ? localStorage.setItem(key, owner) : localStorage.removeItem(key))
/** Nothing is kept but steps that were not sent. */
export const queueOnly = 'queue'

/** Erases what is kept, all but the queue. */
export const eraseKept = () => {
  if (offlineOwner()) import('./kept.ts').then((kept) => kept.erase()).catch(() => undefined)
}
/** Steps of the person that have not been sent. */
export const countWaiting = async (): Promise<number> => (offlineOwner() ? (await import('./queue.ts')).countWaiting() : 0)
/** Sends what waits, now and whenever there is a connection. */
export const startSending = () => {
  if (offlineOwner()) import('./queue.ts').then((queue) => queue.startSending()).catch(() => undefined)
}
/** Goes on with the session that was kept, when the server cannot be reached. */
export const restoreSession = async (error: unknown): Promise<boolean> =>
  offlineOwner() !== null && (await import('./kept.ts')).restoreSession(error).catch(() => false)
