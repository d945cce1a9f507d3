// A worker over a queue in PostgreSQL. It runs at the start, when a change triggers it and every `pollMs`, never twice in parallel.
// Exactly-once is up to `run` and its transactions; the worker only makes sure that nothing due is forgotten.
import type { Change, Database } from '../database/db.ts'
import type { Lanes } from './lanes.ts'

type Needs = {
  database: Pick<Database, 'onChange'>
  /** Does what is due. A long run checks `isStopped` now and then. */
  run: (isStopped: () => boolean) => Promise<unknown>
  /** Whether a committed change triggers a run. */
  triggeredBy: (change: Change) => boolean
  /** Called with the error of a run; the next poll tries again. */
  failed: (error: unknown) => void
  pollMs: number
  /** Lanes that a run starts and does not wait for. The end of each causes one more run. */
  lanes?: Lanes
}

/** Starts a worker. A trigger during a run causes one more run, because the current one may have read the queue already. */
export const startWorker = ({ database, run, triggeredBy, failed, pollMs, lanes }: Needs) => {
  let stopped = false
  let wanted = false
  let running: Promise<void> | undefined
  const schedule = () => {
    wanted = true
    running ??= (async () => {
      while (wanted && !stopped) {
        wanted = false
        await run(() => stopped).catch(failed)
      }
      running = undefined
    })()
    return running
  }
  lanes?.follow(() => void (stopped || schedule()), failed)
  const unlisten = database.onChange((change) => {
    if (triggeredBy(change)) void schedule()
  })
  const poll = setInterval(schedule, pollMs).unref()
  void schedule()

  return {
    /** Runs once and resolves when everything due by now is done. */
    settle: async () => {
      do await schedule()
      while (await lanes?.drained())
    },
    /** Stops triggering and resolves when the current run has ended. */
    async stop() {
      stopped = true
      unlisten()
      clearInterval(poll)
      await running
      await lanes?.drained()
    },
  }
}
