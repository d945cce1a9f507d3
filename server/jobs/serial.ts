/** Work one after the other, in the order asked. */
export const serial = () => {
  let tail: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const run = tail.then(work)
    tail = run.catch(() => {})
    return run
  }
}
