import { type CronPart, cronParts } from '../../contract/cron.ts'

/** Choice of a tab for its part; `raw`: an expression without a matching control. */
export type Choice =
  | { kind: 'every' | 'none' | 'last' | 'lastWorkday' }
  | { kind: 'range'; from: number; to: number }
  | { kind: 'step'; from: number; every: number }
  | { kind: 'some'; values: number[] }
  | { kind: 'nearest'; day: number }
  | { kind: 'lastOf'; weekday: number }
  | { kind: 'nth'; weekday: number; nth: number }
  | { kind: 'raw'; text: string }

/** Kinds available to each part. Either day or weekday stays open. */
export const kindsOf = (part: CronPart): Choice['kind'][] => [
  'every',
  ...(part === 'day' || part === 'weekday' ? (['none'] as const) : []),
  'step',
  'range',
  'some',
  ...(part === 'day' ? (['last', 'lastWorkday', 'nearest'] as const) : []),
  ...(part === 'weekday' ? (['lastOf', 'nth'] as const) : []),
]

export const readChoice = (part: CronPart, text: string): Choice => {
  if (text === '*') return { kind: 'every' }
  if (text === '?') return { kind: 'none' }
  if (part === 'day' && text === 'L') return { kind: 'last' }
  if (part === 'day' && text === 'LW') return { kind: 'lastWorkday' }
  const [, a, mark, b] = /^(\d+|\*)(?:([-/#LW])(\d+)?)?$/.exec(text) ?? []
  const first = a === '*' ? cronParts[part][0] : Number(a)
  const second = Number(b)
  if (mark === '-' && a !== '*' && b) return { kind: 'range', from: first, to: second }
  if (mark === '/' && b) return { kind: 'step', from: first, every: second }
  if (mark === '#' && b && part === 'weekday') return { kind: 'nth', weekday: first, nth: second }
  if (mark === 'L' && !b && part === 'weekday') return { kind: 'lastOf', weekday: first }
  if (mark === 'W' && !b && part === 'day') return { kind: 'nearest', day: first }
  if (/^\d+(,\d+)*$/.test(text)) return { kind: 'some', values: text.split(',').map(Number) }
  return { kind: 'raw', text }
}

export const writeChoice = (choice: Choice): string => {
  switch (choice.kind) {
    case 'every':
      return '*'
    case 'none':
      return '?'
    case 'last':
      return 'L'
    case 'lastWorkday':
      return 'LW'
    case 'range':
      return `${choice.from}-${choice.to}`
    case 'step':
      return `${choice.from}/${choice.every}`
    case 'some':
      return [...choice.values].sort((a, b) => a - b).join(',')
    case 'nearest':
      return `${choice.day}W`
    case 'lastOf':
      return `${choice.weekday}L`
    case 'nth':
      return `${choice.weekday}#${choice.nth}`
    case 'raw':
      return choice.text
  }
}

/** Initial choice of a kind. */
export const startOf = (part: CronPart, kind: Choice['kind']): Choice => {
  const [from, to] = cronParts[part]
  switch (kind) {
    case 'range':
      return { kind, from, to }
    case 'step':
      return { kind, from, every: 1 }
    case 'some':
      return { kind, values: [from] }
    case 'nearest':
      return { kind, day: 15 }
    case 'lastOf':
      return { kind, weekday: 6 }
    case 'nth':
      return { kind, weekday: 2, nth: 1 }
    case 'raw':
      return { kind, text: '*' }
    default:
      return { kind }
  }
}

const at = { day: 3, weekday: 5 } as const

/** Replaces one part of the expression; if both day and weekday would be set, the other one becomes open. */
export const withPart = (parts: readonly string[], index: number, text: string): string => {
  const next = [...parts]
  next[index] = text
  const other = index === at.day ? at.weekday : index === at.weekday ? at.day : undefined
  if (other !== undefined) {
    const isOpen = (t: string | undefined) => t === '*' || t === '?'
    if (!isOpen(text)) next[other] = '?'
    else if (text === '?' && next[other] === '?') next[other] = '*'
  }
  return (next[6] === '*' ? next.slice(0, 6) : next).join(' ')
}
