/** Runs `work` every `ms`, one run at a time. A failure goes to `failed`, and the next run tries again. */
export const repeat = (ms: number, work: () => Promise<void>, failed: (error: unknown) => void) => {
  let isStopped = false
  let running: Promise<void> | undefined
  /** Joins the present run, or starts one. */
  const run = () => {
    running ??= work()
      .catch((error: unknown) => isStopped || failed(error))
      .then(() => {
        running = undefined
      })
    return running
  }
  const timer = setInterval(() => void run(), ms).unref()
  const stop = () => {
    isStopped = true
    clearInterval(timer)
  }
  /** Resolves when the present run has ended. */
  const idle = async () => await running
  return { run, stop, idle }
}
