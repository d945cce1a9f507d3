import { type EmbeddedOptions, startEmbedded } from '../mqtt/embedded.ts'

/** A broker that can be closed and reopened on the same port. */
export const openBroker = async (options: EmbeddedOptions) => {
  let port = options.port
  let broker: Awaited<ReturnType<typeof startEmbedded>> | undefined
  let turn = Promise.resolve()
  const open = async () => {
    const started = await startEmbedded({ ...options, port })
    await started.open()
    port = started.port
    broker = started
  }
  await open()
  return {
    port: () => port,
    /** Undefined while it is closed. */
    now: () => broker,
    /** Opens or closes it, after pending changes. */
    set: (isOpen: boolean) => {
      turn = turn.then(async () => {
        if (isOpen === (broker !== undefined)) return
        if (isOpen) return open()
        const was = broker
        broker = undefined
        await was?.close()
      })
      return turn
    },
  }
}
export type Broker = Awaited<ReturnType<typeof openBroker>>
