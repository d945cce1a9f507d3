import { useEffect, useMemo, useRef, useState } from 'react'
import { spans } from '../../../../console/chart/ranges.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { flowchartCalls, givenAs, type Opened } from '../contract.ts'
import { newestAt } from './engine/replayed.ts'

export const replaySpans = ['15m', '1h', '6h', '24h', '7d', '30d'] as const
export type ReplaySpan = (typeof replaySpans)[number]

/** A replay takes half a minute, whatever its span. */
const [frames, frameMs] = [300, 100]

type Of = Pick<Opened, 'Given'> & { Flowchart: { Id: number } }
/** A picture's past, and where in it one is. Undefined `past` while it loads. */
export const useReplay = ({ Flowchart: { Id }, Given }: Of, span: ReplaySpan, end: number) => {
  const range = useMemo(() => ({ start: end - spans[span]!, end }), [span, end])
  const [at, setAt] = useState(range.start)
  const [isPlaying, play] = useState(false)
  const step = Math.round((range.end - range.start) / frames)
  const past = useCall(flowchartCalls.past, { body: { Id, Start: range.start, End: range.end, Parameters: givenAs(Given) } })
  const data = past.isPlaceholderData ? undefined : past.data
  const moment = useRef(at)
  moment.current = at
  useEffect(() => {
    setAt(range.start)
    play(false)
  }, [range])
  const isReady = data !== undefined
  useEffect(() => {
    if (!isPlaying || !isReady) return
    const timer = setInterval(() => {
      const next = Math.min(range.end, moment.current + step)
      setAt(next)
      if (next === range.end) play(false)
    }, frameMs)
    return () => clearInterval(timer)
  }, [isPlaying, isReady, range, step])
  const newest = useMemo(() => data && newestAt(data), [data])
  const go = (to: number) => setAt(Math.min(range.end, Math.max(range.start, to)))
  return { past: data, newest, error: past.error, range, at, go, step, isPlaying, play }
}
export type Replay = ReturnType<typeof useReplay>
