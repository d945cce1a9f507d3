// Ring buffer of traced frames per channel, kept in memory for a while after the trace ends.
import { traceFrames, type Up } from '../../../../contract/gateway-protocol.ts'

type Frame = Up['trace']['Data']['Frames'][number] & { N: number }
type Channel = { CommType: number; ChannelId: number }
type Gateway = { Id: number; EnterpriseId: number }
type Trace = { tenant: number; until: number; ended: number; frames: Frame[]; count: number; missed: number; bytes: number }

/** Time for which frames stay after their trace ends, ms. */
const keptMs = 15 * 60_000
/** Approximate byte limits of frames: per company and in total. Each trace costs `own`, even without a frame, because every trace is scanned. */
const [mostOfTenant, mostOfAll, own] = [16 * 1024 * 1024, 128 * 1024 * 1024, 4096]
const sizeOf = ({ Hex, Meaning }: Frame) => 150 + Hex.length + 2 * Meaning.length

export const openTraces = (now: () => number) => {
  /** Ordered by start time. */
  const traces = new Map<string, Trace>()
  const held = new Map<number, number>()
  let heldByAll = 0
  const keyOf = (gateway: number, { CommType, ChannelId }: Channel) => `${gateway}/${CommType}/${ChannelId}`
  const hold = (trace: Trace, bytes: number) => {
    trace.bytes += bytes
    heldByAll += bytes
    const rest = (held.get(trace.tenant) ?? 0) + bytes
    if (rest) held.set(trace.tenant, rest)
    else held.delete(trace.tenant)
  }
  const drop = (key: string, trace: Trace) => {
    traces.delete(key)
    hold(trace, -trace.bytes)
  }
  const dropOld = () => {
    for (const [key, trace] of traces) if (trace.ended < now() - keptMs) drop(key, trace)
  }
  /** Size of the largest company's frames; that company makes room for others. */
  const largest = () => [...held].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0]
  const dropFirst = (tenant: number) => {
    for (const [key, trace] of traces) if (trace.tenant === tenant) return drop(key, trace)
  }
  const makeRoom = (tenant: number) => {
    while ((held.get(tenant) ?? 0) > mostOfTenant) dropFirst(tenant)
    while (heldByAll > mostOfAll) dropFirst(largest())
  }
  return {
    /** The gateway has started to send frames; with 0 it has stopped. */
    begun: ({ Id, EnterpriseId }: Gateway, channel: Channel, seconds: number) => {
      dropOld()
      const key = keyOf(Id, channel)
      const before = traces.get(key)
      const until = now() + seconds * 1000
      if (!seconds) return before && void Object.assign(before, { until: now(), ended: now() })
      if (before) drop(key, before)
      const trace = { tenant: EnterpriseId, until, ended: until, frames: [], count: before?.count ?? 0, missed: 0, bytes: 0 }
      traces.set(key, trace)
      hold(trace, own)
      makeRoom(EnterpriseId)
    },
    /** Adds frames. Drops those of channels without an active trace. */
    came: (gateway: number, { Frames, Missed = 0, ...channel }: Up['trace']['Data']) => {
      const trace = traces.get(keyOf(gateway, channel))
      if (!trace) return
      const added = Frames.map((frame) => ({ ...frame, N: ++trace.count }))
      trace.frames.push(...added)
      trace.missed += Math.max(0, Missed)
      const gone = trace.frames.splice(0, Math.max(0, trace.frames.length - traceFrames))
      hold(
        trace,
        [...added.map(sizeOf), ...gone.map((frame) => -sizeOf(frame))].reduce((sum, bytes) => sum + bytes, 0),
      )
      makeRoom(trace.tenant)
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
    /** Approximate bytes held. */
    get bytes() {
      return heldByAll
    },
  }
}
export type Traces = ReturnType<typeof openTraces>
