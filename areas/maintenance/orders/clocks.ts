// Service-level clocks of repair orders: time to accept, arrive and finish, by urgency; and how a company handles them.
import { type Static, Type } from 'typebox'
import { flag, json, number } from '../../../contract/field.ts'
import { settings } from '../../../contract/settings.ts'

const within = (section: string) => number({ integer: true, min: 1, max: 43_200, unit: 'min', section })
const byShifts = (section: string) => flag({ required: true, default: 0, section })

/** Hold reasons. `Pauses` stops the SLA clocks while on hold. */
export const HoldReasons = Type.Array(
  Type.Object(
    { Name: Type.String({ minLength: 1, maxLength: 60 }), Pauses: Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] }) },
    { additionalProperties: false },
  ),
  { maxItems: 20 },
)
export type HoldReason = Static<typeof HoldReasons>[number]

/** Minutes from the report, by urgency; empty: no clock. `ByShifts`: only while the project's shifts work. */
export const orderClocks = settings('orderClocks', {
  per: 'tenant',
  path: '/Maintenance/OrderClocks',
  permission: 'm10616',
  readBy: 'm10601',
  fields: {
    ...{ Respond3: within('critical'), Arrive3: within('critical'), Finish3: within('critical'), ByShifts3: byShifts('critical') },
    ...{ Respond2: within('urgent'), Arrive2: within('urgent'), Finish2: within('urgent'), ByShifts2: byShifts('urgent') },
    ...{ Respond1: within('normal'), Arrive1: within('normal'), Finish1: within('normal'), ByShifts1: byShifts('normal') },
    /** 1: people without an account may report faults through machine labels. */
    PublicReports: flag({ required: true, default: 0, section: 'requests' }),
    /** 1: people may check orders that they worked on. */
    OwnCheck: flag({ required: true, default: 0, section: 'checking' }),
    HoldReasons: json({ schema: HoldReasons, default: [], section: 'holding' }),
  },
})

/** Moments are epoch ms. */
export type Span = { start: number; end: number }
/** A null end means that the hold is active. */
export type Hold = { start: number; end: number | null }

/** Working time without the holds, ascending. */
const running = (work: readonly Span[], holds: readonly Hold[]): Span[] => {
  let spans = [...work]
  for (const { start, end } of holds)
    spans = spans.flatMap((span) =>
      [
        { start: span.start, end: Math.min(span.end, start) },
        { start: Math.max(span.start, end ?? Number.POSITIVE_INFINITY), end: span.end },
      ].filter((part) => part.end > part.start),
    )
  return spans
}

/** When a clock started at `start` expires. Undefined while it is held or no working time follows. */
export const dueAt = (start: number, ms: number, work: readonly Span[], holds: readonly Hold[]): number | undefined => {
  let left = ms
  for (const span of running(work, holds)) {
    const from = Math.max(span.start, start)
    if (span.end <= from) continue
    if (span.end - from >= left) return from + left
    left -= span.end - from
  }
}
