/** Calls back one caller per event-loop turn, in order of arrival, so that a busy panel does not delay others. */
export const createTurns = () => {
  const waiting: (() => void)[] = []
  const next = () => {
    waiting[0]!()
    waiting.shift()
    if (waiting.length) setImmediate(next)
  }
  return (work: () => void) => {
    if (waiting.push(work) === 1) setImmediate(next)
  }
}
