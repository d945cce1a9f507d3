import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { isDay } from '../../../contract/days.ts'
import { json, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'
import type { Rule } from '../../../contract/rules.ts'

const day = '^\\d{4}-\\d{2}-\\d{2}$'
const Weekday = Type.Integer({ minimum: 1, maximum: 7 })
export const ShiftEntry = Type.Object(
  {
    Name: Type.String({ minLength: 1, maxLength: 40 }),
    /** 1 = Sunday to 7 = Saturday, the day on which the shift begins; none: every day. */
    Weeks: Type.Optional(Type.Array(Weekday, { maxItems: 7 })),
    Start: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
    /** An end that is before the start is on the next day. */
    End: Type.String({ pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$' }),
  },
  { additionalProperties: false },
)
export type ShiftEntry = Static<typeof ShiftEntry>
const MakeUp = Type.Object({ Day: Type.String({ pattern: day }), As: Weekday }, { additionalProperties: false })
export type MakeUp = Static<typeof MakeUp>
export const [mostHolidays, mostMakeUps] = [400, 100]

const dayMinutes = 24 * 60
const weekMinutes = 7 * dayMinutes
export const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
/** Minutes from midnight of the day on which it begins. */
export const timesOf = ({ Start, End }: Pick<ShiftEntry, 'Start' | 'End'>) => {
  const [start, end] = [minutesOf(Start), minutesOf(End)]
  return { start, end: end < start ? end + dayMinutes : end }
}
const everyDay = [1, 2, 3, 4, 5, 6, 7]
export const weekdaysOf = ({ Weeks }: Pick<ShiftEntry, 'Weeks'>) => (Weeks?.length ? Weeks : everyDay)

/** Where entries lie in a week that begins on Sunday, minutes, in order; `of` is their place in the list. */
export const spansOf = (entries: readonly ShiftEntry[]) =>
  entries
    .flatMap((entry, of) =>
      weekdaysOf(entry).map((weekday) => {
        const { start, end } = timesOf(entry)
        return { of, start: (weekday - 1) * dayMinutes + start, end: (weekday - 1) * dayMinutes + end }
      }),
    )
    .sort((a, b) => a.start - b.start || a.end - b.end)

/** Minutes of the week covered by more than one entry. A Saturday night shift wraps to Sunday. */
export const overlapsOf = (entries: readonly ShiftEntry[]): { start: number; end: number }[] => {
  const spans = spansOf(entries)
  const wrapped = spans.flatMap((span) => [
    span,
    ...(span.end > weekMinutes ? [{ ...span, start: span.start - weekMinutes, end: span.end - weekMinutes }] : []),
  ])
  const found: { start: number; end: number }[] = []
  let until = Number.NEGATIVE_INFINITY
  for (const { start, end } of wrapped.sort((a, b) => a.start - b.start)) {
    if (start < until) found.push({ start: Math.max(0, start), end: Math.min(end, until) })
    until = Math.max(until, end)
  }
  return found
}

const listOf = <T>(value: unknown) => (Array.isArray(value) ? (value as readonly T[]) : [])
const entriesIn = (value: unknown) => listOf<ShiftEntry>(value).filter(({ Start, End }) => Start && End)

/** Also the form shows them while people type. */
export const shiftRules: readonly Rule[] = [
  { name: 'shiftsOverlap', of: ['Times'], isBroken: ({ Times }) => overlapsOf(entriesIn(Times)).length > 0 },
  { name: 'shiftWithoutTime', of: ['Times'], isBroken: ({ Times }) => entriesIn(Times).some(({ Start, End }) => Start === End) },
  { name: 'noSuchDay', of: ['ValidFrom'], isBroken: ({ ValidFrom }) => !isDay(ValidFrom) },
  { name: 'noSuchDay', of: ['Holidays'], isBroken: ({ Holidays }) => !listOf(Holidays).every(isDay) },
  { name: 'noSuchDay', of: ['MakeUps'], isBroken: ({ MakeUps }) => !listOf<MakeUp>(MakeUps).every(({ Day }) => isDay(Day)) },
]

/** The shifts of a project from a day on, in the company's zone: figures of days before keep the plan of those days. */
export const shiftPlan = resource('shiftPlan', {
  path: '/Project/ShiftPlan',
  most: { of: 'ProjectId', records: 200 },
  permission: 'm10136',
  title: 'PlanName',
  owner: 'ProjectId',
  order: '-ValidFrom',
  rules: shiftRules,
  columns: ['PlanName', 'ProjectId', 'ValidFrom', 'Times', 'Holidays', 'MakeUps'],
  fields: {
    ProjectId: ref('project', { required: true, set: 'create', search: true }),
    PlanName: text({ required: true, unique: 'ProjectId', search: true }),
    ValidFrom: text({ required: true, unique: 'ProjectId', max: 10, pattern: day }),
    Times: json({ required: true, schema: Type.Array(ShiftEntry, { minItems: 1, maxItems: 24 }) }),
    /** No shift begins on these days. */
    Holidays: json({ required: true, default: [], schema: Type.Array(Type.String({ pattern: day }), { maxItems: mostHolidays }) }),
    /** These days work as the named day of the week, also on holidays. */
    MakeUps: json({ required: true, default: [], schema: Type.Array(MakeUp, { maxItems: mostMakeUps }) }),
  },
})

const DaysOfSheet = Type.Object({ Holidays: Type.Array(Type.String()), MakeUps: Type.Array(MakeUp) })
export type DaysOfSheet = Static<typeof DaysOfSheet>
export const shiftCalls = {
  /** Parses a sheet with one day per row and an optional weekday for make-up days. Saves nothing. */
  days: call({ method: 'POST', path: '/Project/ShiftPlan/Days/Import', permission: 'm10136', answer: DaysOfSheet }),
  template: call({
    method: 'GET',
    path: '/Project/ShiftPlan/Days/Template',
    permission: 'm10136',
    query: Type.Object({ Format: Type.Optional(Type.Union([Type.Literal('xlsx'), Type.Literal('csv')])) }),
  }),
}
