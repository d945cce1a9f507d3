/** Calls back one caller in each round of the event loop, in the order in which they came: what many panels send delays nobody else. */
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
