// Ring buffer of traced frames per channel, kept in memory for a while after the trace ends.
import { traceFrames, type Up } from '../../../../contract/gateway-protocol.ts'

type Frame = Up['trace']['Data']['Frames'][number] & { N: number }
type Channel = { CommType: number; ChannelId: number }
type Trace = { until: number; ended: number; frames: Frame[]; count: number; missed: number }

/** ms that frames stay after their trace. */
const keptMs = 15 * 60_000

export const openTraces = (now: () => number) => {
  const traces = new Map<string, Trace>()
  const keyOf = (gateway: number, { CommType, ChannelId }: Channel) => `${gateway}/${CommType}/${ChannelId}`
  const dropOld = () => {
    for (const [key, { ended }] of traces) if (ended < now() - keptMs) traces.delete(key)
  }
  return {
    /** The gateway has begun to send frames, or with 0 has ended. */
    begun: (gateway: number, channel: Channel, seconds: number) => {
      dropOld()
      const key = keyOf(gateway, channel)
      const before = traces.get(key)
      const until = now() + seconds * 1000
      if (seconds) traces.set(key, { until, ended: until, frames: [], count: before?.count ?? 0, missed: 0 })
      else if (before) Object.assign(before, { until: now(), ended: now() })
    },
    /** Adds frames. Drops those of channels without an active trace. */
    came: (gateway: number, { Frames, Missed = 0, ...channel }: Up['trace']['Data']) => {
      const trace = traces.get(keyOf(gateway, channel))
      if (!trace) return
      for (const frame of Frames) trace.frames.push({ ...frame, N: ++trace.count })
      trace.missed += Math.max(0, Missed)
      if (trace.frames.length > traceFrames) trace.frames.splice(0, trace.frames.length - traceFrames)
    },
    /** Frames after the number, oldest first. */
    frames: (gateway: number, channel: Channel, after: number) => {
      dropOld()
      const trace = traces.get(keyOf(gateway, channel))
      return {
        Left: trace ? Math.max(0, Math.ceil((trace.until - now()) / 1000)) : 0,
        Missed: trace?.missed ?? 0,
        Frames: trace?.frames.filter(({ N }) => N > after) ?? [],
      }
    },
  }
}
export type Traces = ReturnType<typeof openTraces>
