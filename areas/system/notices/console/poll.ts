import { noticeLimits } from '../contract.ts'

type Needs<T> = {
  read: () => Promise<T>
  heard: (value: T) => void
  /** True while the last poll has failed. */
  interrupted: (is: boolean) => void
  online: () => boolean
  /** Whether the session is over: ends polling. */
  isOver?: (error: unknown) => boolean
}

/**
 * Polls immediately on request, otherwise every 60 s, the first time after 3 s, and only while the browser is online. After a failure
 * it waits 60 s, 2, 4 … 10 min and continues (ruling 18). Only one poll runs at a time; a request during a poll
 * triggers one more. Responses therefore cannot overtake each other, and each one is complete.
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
    /** Polls immediately. */
    now: () => void run(),
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
