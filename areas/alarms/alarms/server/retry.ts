import { setTimeout as sleep } from 'node:timers/promises'
import { StaleEpoch } from './alarmStore.ts'

type Needs = {
  /** Aborted when the server stops. */
  signal: AbortSignal
  /** Maximum wait, ms. */
  longest: number
  failed(err: unknown, what: string): void
}

/** Retries until the work succeeds, another engine has saved, or the server stops. */
export const retry =
  ({ signal, longest, failed }: Needs) =>
  async <T>(work: () => Promise<T>, what: string): Promise<T> => {
    for (let wait = 100; ; wait = Math.min(longest, wait * 2)) {
      try {
        return await work()
      } catch (err) {
        if (err instanceof StaleEpoch || signal.aborted) throw err
        failed(err, what)
        await sleep(wait, undefined, { signal }).catch(() => {})
        if (signal.aborted) throw err
      }
    }
  }
