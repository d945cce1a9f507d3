import { useCallback, useEffect, useRef, useState } from 'react'
import { useNow } from '../live/clock.ts'
import { useAddress } from '../shell/useAddress.ts'
import { type Range, spans, within } from './ranges.ts'

/** Either a live range that ends now, or a fixed range. */
type View = { span: string } | Range
const isLive = (view: View): view is { span: string } => 'span' in view

const readView = (params: URLSearchParams, standard: string): View => {
  const [start, end] = [Number(params.get('from')), Number(params.get('to'))]
  if (start > 0 && end > start) return within({ start, end }, Date.now())
  const span = params.get('range') ?? standard
  return { span: Object.hasOwn(spans, span) ? span : standard }
}

const names = ['range', 'from', 'to'] as const
const textOf = (of: (name: (typeof names)[number]) => string | number | null) =>
  names
    .map((name) => of(name) ?? '')
    .join(' ')
    .trim()
const textIn = (params: URLSearchParams) => textOf((name) => params.get(name))

/** The range of a trend: stored in the URL, with zoom history. Starts with the standard range, and follows links to an open screen. */
export const useTrendView = (standard = '1h') => {
  const [params, put] = useAddress()
  const [view, setView] = useState(() => readView(params, standard))
  const back = useRef<View[]>([])
  const now = useNow()
  /** The range that was last read from the URL or written to it. */
  const known = useRef(textIn(params))
  const live = isLive(view)
  const range: Range = live ? { start: now - spans[view.span]!, end: now } : view

  useEffect(() => {
    const written = isLive(view) ? { range: view.span, from: null, to: null } : { range: null, from: view.start, to: view.end }
    const timer = setTimeout(() => {
      known.current = textOf((name) => written[name])
      put(written)
    }, 300)
    return () => clearTimeout(timer)
  }, [view, put])
  useEffect(() => {
    const asked = textIn(params)
    if (!asked || asked === known.current) return
    known.current = asked
    back.current = []
    setView(readView(params, standard))
  }, [params, standard])

  const show = useCallback((range: Range) => {
    setView((old) => {
      back.current = [...back.current.slice(-49), old]
      return within(range, Date.now())
    })
  }, [])
  const follow = useCallback((span: string) => {
    back.current = []
    setView({ span })
  }, [])
  const goBack = useCallback(() => setView((old) => back.current.pop() ?? (isLive(old) ? old : { span: standard })), [standard])
  return { range, live, span: live ? view.span : undefined, show, follow, goBack }
}
