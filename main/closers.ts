import type { Logger } from 'pino'
import type { Context } from '../server/context.ts'

/** Collects what a process has opened. `close` closes it in reverse order, and logs what cannot be closed. */
export const openClosers = (log: Pick<Logger, 'error'>) => {
  const closers: (() => unknown)[] = []
  const opened: Context['opened'] = (thing, undo) => {
    closers.push(() => undo(thing))
    return thing
  }
  const close = async () => {
    for (const undo of closers.splice(0).reverse())
      try {
        await undo()
      } catch (err) {
        log.error({ err }, 'closing')
      }
  }
  return { opened, close }
}

/** Opens a process. What was opened before something failed is closed again. Returns a close function. */
export const openProcess = async (
  log: Parameters<typeof openClosers>[0],
  open: (opened: ReturnType<typeof openClosers>['opened']) => Promise<void>,
) => {
  const { opened, close } = openClosers(log)
  await open(opened).catch(async (error) => {
    await close()
    throw error
  })
  return close
}
