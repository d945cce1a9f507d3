// Processes that make load: each takes jobs from the one that started it, one at a time, and answers each with a message.
import { type ChildProcess, fork } from 'node:child_process'

export type Loader<J, R> = { run(job: J): Promise<R>; pid: number; end(): Promise<void> }

/** Starts a file of this folder as a separate process. */
export const startLoader = <J extends object, R>(file: string): Loader<J, R> => {
  const child: ChildProcess = fork(new URL(file, import.meta.url), { execArgv: [] })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  return {
    pid: child.pid!,
    run: (job) =>
      new Promise((done, failed) => {
        const over = (code: number | null) => failed(new Error(`${file} ended with ${code}`))
        child.once('exit', over)
        child.once('message', (answer: { result: R } | { error: string }) => {
          child.off('exit', over)
          if ('error' in answer) failed(new Error(`${file}: ${answer.error}`))
          else done(answer.result)
        })
        child.send(job)
      }),
    end: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await gone
    },
  }
}

/** The other side: answers every job. */
export const serveJobs = <J, R>(work: (job: J) => Promise<R>) => {
  process.on('message', (job: J) => {
    work(job).then(
      (result) => process.send!({ result }),
      (error: Error) => process.send!({ error: error.stack ?? error.message }),
    )
  })
  process.once('disconnect', () => process.exit(0))
}
