import { traceFrames } from '../contract/gateway-protocol.ts'
import type { Frame } from './drivers/driver.ts'
import type { Poller } from './poll/poller.ts'

/** What a frame shows at most: bytes, and characters of its meaning. */
const [shownBytes, shownText] = [512, 200]
/** ms between two messages of frames, and characters of one. */
const everyMs = 500
const mostText = 60_000

type Shown = { T: number; Sent: 0 | 1; Hex: string; Meaning: string }
type Trace = { frames: Shown[]; size: number; missed: number; sending: NodeJS.Timeout; ending: NodeJS.Timeout }
type Options = { poller: Poller; now(): number; publish(data: object): void }

/** Sends frames of traced channels for the requested time. Frames above the limit are counted, not sent. */
export const startTracing = ({ poller, now, publish }: Options) => {
  const traces = new Map<string, Trace & { CommType: number; ChannelId: number }>()

  const send = (trace: Trace & { CommType: number; ChannelId: number }) => {
    if (!trace.frames.length) return
    const { CommType, ChannelId, frames, missed } = trace
    publish({ CommType, ChannelId, Frames: frames, ...(missed ? { Missed: missed } : {}) })
    Object.assign(trace, { frames: [], size: 0, missed: 0 })
  }
  const end = (key: string) => {
    const trace = traces.get(key)
    if (!trace) return
    traces.delete(key)
    clearInterval(trace.sending)
    clearTimeout(trace.ending)
    poller.trace(trace.CommType, trace.ChannelId, undefined)
    send(trace)
  }
  const take = (trace: Trace, { isSent, bytes, meaning }: Frame) => {
    const Hex = bytes.subarray(0, shownBytes).toString('hex')
    const Meaning = (bytes.length > shownBytes ? `${meaning} (${bytes.length} bytes)` : meaning).slice(0, shownText)
    if (trace.frames.length >= traceFrames || trace.size > mostText) {
      trace.missed++
      return
    }
    trace.frames.push({ T: Math.round(now()), Sent: isSent ? 1 : 0, Hex, Meaning })
    trace.size += Hex.length + Meaning.length + 60
  }

  return {
    /** False for a channel that there is not. */
    trace: (CommType: number, ChannelId: number, seconds: number) => {
      const key = `${CommType}/${ChannelId}`
      end(key)
      if (!poller.line(CommType, ChannelId)) return false
      if (!seconds) return true
      const trace = {
        ...{ CommType, ChannelId, frames: [] as Shown[], size: 0, missed: 0 },
        sending: setInterval(() => send(trace), everyMs),
        ending: setTimeout(() => end(key), seconds * 1000),
      }
      traces.set(key, trace)
      poller.trace(CommType, ChannelId, (frame) => take(trace, frame))
      return true
    },
    close: () => {
      for (const key of [...traces.keys()]) end(key)
    },
  }
}
export type Tracing = ReturnType<typeof startTracing>
