// Work that stands in PostgreSQL and is done when it is due: one round after the other, at the start, when something has changed and
// every few seconds. What is done once only is for the round to say, in its transactions; this part sees to it that none is forgotten.
import type { Change, Database } from '../database/db.ts'

type Needs = {
  database: Pick<Database, 'onChange'>
  /** Does what is due; a long one looks now and then whether it is to end. */
  run: (isStopped: () => boolean) => Promise<unknown>
  /** Whether a committed change asks for a round. */
  triggeredBy: (change: Change) => boolean
  /** A round that failed is done again at the next look. */
  failed: (error: unknown) => void
  pollMs: number
}

/** Rounds never overlap; what asks for one while another is at work gets one after it, since that one may have looked already. */
export const startWorker = ({ database, run, triggeredBy, failed, pollMs }: Needs) => {
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
  const unlisten = database.onChange((change) => {
    if (triggeredBy(change)) void schedule()
  })
  const poll = setInterval(schedule, pollMs).unref()
  void schedule()

  return {
    /** Does what is due by now; answers when it is done. */
    settle: async () => {
      await schedule()
    },
    /** Begins no more; answers when the round at work has ended. */
    async stop() {
      stopped = true
      unlisten()
      clearInterval(poll)
      await running
    },
  }
}
