// One rate limit per person, tenant and address across all processes of a fleet: each process publishes the calls that it admitted.
import type { Limits } from '../http/limits.ts'
import { parse } from './frames.ts'
import type { Nats } from './natsConnection.ts'

/** Publishing interval in ms. During one interval, each process may admit a full burst. */
const interval = 200
/** Maximum entries per frame. */
const most = 5000

type Admitted = { process: string; calls: [key: string, count: number][] }

/**
 * Publishes the calls that `limits` admitted, and counts those of other processes. A lost frame is not sent again: its calls are not counted
 * elsewhere. Returns a function that stops sharing.
 */
export const shareLimits = ({ nats, process, limits }: { nats: Nats; process: string; limits: Limits }) => {
  const subject = nats.subject('admitted')
  const { admitted, count } = limits.share()
  const stop = nats.subscribe(subject, (data) => {
    const frame = parse<Admitted>(data)
    if (frame.process !== process) for (const call of frame.calls) count(...call)
  })
  const timer = setInterval(() => {
    const all = admitted()
    for (let i = 0; i < all.length; i += most) {
      const frame: Admitted = { process, calls: all.slice(i, i + most) }
      nats.publish(subject, JSON.stringify(frame))
    }
  }, interval)
  return () => {
    clearInterval(timer)
    stop()
  }
}
