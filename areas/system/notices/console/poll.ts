import { noticeLimits } from '../contract.ts'

type Needs<T> = {
  read: () => Promise<T>
  heard: (value: T) => void
  /** True while updates are interrupted: the last try failed. */
  interrupted: (is: boolean) => void
  online: () => boolean
  /** The session is over: no more tries. */
  isOver?: (error: unknown) => boolean
}

/**
 * Reads at once when asked, else every 60 s, the first time after 3 s, and only while the browser is online. After a failure
 * it waits 60 s, 2, 4 … 10 min and goes on by itself (ruling 18). There is one reading at a time, and what was asked for
 * during a poll triggers one more: responses cannot overtake each other, and each one is complete.
 */
export const createPoll = <T>({ read, heard, interrupted, online, isOver = () => false }: Needs<T>) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let reading = false
  let asked = false
  let stopped = false

  const wait = (ms: number) => {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(run, ms)
  }
  const run = async () => {
    clearTimeout(timer)
    if (stopped) return
    if (!online()) return wait(noticeLimits.pollMs)
    if (reading) {
      asked = true
      return
    }
    reading = true
    try {
      const value = await read()
      if (stopped) return
      failures = 0
      interrupted(false)
      heard(value)
    } catch (error) {
      if (stopped) return
      if (isOver(error)) stopped = true
      failures++
      interrupted(true)
    } finally {
      reading = false
    }
    const again = asked && !failures
    asked = false
    if (again) return run()
    wait(Math.min(noticeLimits.longestPollMs, noticeLimits.pollMs * 2 ** Math.max(0, failures - 1)))
  }
  wait(noticeLimits.firstPollMs)
  return {
    /** Something has happened: now, not at the next turn. */
    now: () => void run(),
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
