// Quartz cron expressions: seconds minutes hours day month weekday [year], weekdays 1 = Sunday to 7 = Saturday.
// Console and server read them here alike and let croner find the times, from an expression written so that croner means the same.
import type { Message } from './validators.ts'

/** Each part with its least and greatest value. */
export const cronParts = {
  second: [0, 59],
  minute: [0, 59],
  hour: [0, 23],
  day: [1, 31],
  month: [1, 12],
  weekday: [1, 7],
  year: [2020, 2099],
} as const satisfies Record<string, readonly [number, number]>
export type CronPart = keyof typeof cronParts
export const cronPartNames = Object.keys(cronParts) as CronPart[]

/** Every second. */
export const cronDefault = '* * * * * ?'

/** Ready-made expressions (ruling 25); words at `cron.preset.<name>`. */
export const cronPresets = {
  everySecond: cronDefault,
  every5Seconds: '0/5 * * * * ?',
  every10Seconds: '0/10 * * * * ?',
  every30Seconds: '0/30 * * * * ?',
  everyMinute: '0 * * * * ?',
  every5Minutes: '0 0/5 * * * ?',
  every10Minutes: '0 0/10 * * * ?',
  every30Minutes: '0 0/30 * * * ?',
  hourly: '0 0 * * * ?',
  every2Hours: '0 0 0/2 * * ?',
  dailyAt0: '0 0 0 * * ?',
  dailyAt6: '0 0 6 * * ?',
  dailyAt12: '0 0 12 * * ?',
  weekdaysAt12: '0 0 12 ? * 2-6',
  mondaysAt8: '0 0 8 ? * 2',
  firstOfMonth: '0 0 0 1 * ?',
  lastOfMonth: '0 59 23 L * ?',
} as const

const names: Partial<Record<CronPart, readonly string[]>> = {
  month: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
  weekday: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
}

const numberOf = (part: CronPart, text: string): number | undefined => {
  const [min, max] = cronParts[part]
  const named = names[part]?.indexOf(text) ?? -1
  const n = named >= 0 ? named + 1 : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  return n >= min && n <= max ? n : undefined
}

/** One of the items between commas, as croner understands it: `a/b` is written out, and so is a range that runs over the end. */
const itemOf = (part: CronPart, text: string): string | undefined => {
  const [min, max] = cronParts[part]
  const [, from = '', to, stepText] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d{1,2}))?$/.exec(text) ?? []
  const step = stepText === undefined ? undefined : Number(stepText)
  if (step !== undefined && (step < 1 || step > max - min + (min ? 1 : 0))) return undefined
  if (from === '*') return to !== undefined ? undefined : step ? `${min}-${max}/${step}` : '*'
  const first = numberOf(part, from)
  const last = to === undefined ? (step ? max : first) : numberOf(part, to)
  if (first === undefined || last === undefined) return undefined
  if (last >= first) return `${first}${last > first ? `-${last}` : ''}${step && last > first ? `/${step}` : ''}`
  if (part === 'year') return undefined
  const span = max - min + 1
  const count = Math.floor((last + span - first) / (step ?? 1)) + 1
  return Array.from({ length: count }, (_, i) => ((first - min + i * (step ?? 1)) % span) + min).join(',')
}

/** Values that exclude others in their part: unspecified, last day, last weekday, nearest weekday; last or nth of a weekday. */
const aloneOf = (part: CronPart, text: string): string | undefined => {
  if (text === '?') return part === 'day' || part === 'weekday' ? '*' : undefined
  if (part === 'day') {
    if (text === 'L' || text === 'LW') return text
    const [, day] = /^(\d{1,2})W$/.exec(text) ?? []
    return day && numberOf('day', day) ? `${Number(day)}W` : undefined
  }
  if (part !== 'weekday') return undefined
  if (text === 'L') return '7'
  const [, name = '', which = ''] = /^([A-Z]{3}|\d)(L|#[1-5])$/.exec(text) ?? []
  const weekday = numberOf('weekday', name)
  return weekday ? `${weekday}${which}` : undefined
}

const partOf = (part: CronPart, text: string): string | undefined => {
  const alone = aloneOf(part, text)
  if (alone) return alone
  const items = text.split(',').map((item) => itemOf(part, item))
  // A star beside other items would make them meaningless.
  return items.includes(undefined) || (items.length > 1 && items.includes('*')) ? undefined : items.join(',')
}

type Read = { fault: Message } | { fault?: undefined; parts: string[] }
const fault = (key: string): Read => ({ fault: { key, values: {} } })

const read = (expression: string): Read => {
  const given = expression.trim().toUpperCase().split(/\s+/)
  if (given.length < 6 || given.length > 7 || expression.length > 200) return fault('validator.cron')
  const [, , , day, , weekday, year = '*'] = given
  const parts: string[] = []
  for (const [i, part] of cronPartNames.entries()) {
    const written = partOf(part, given[i] ?? year)
    if (written === undefined) return fault(`cron.fault.${part}`)
    parts.push(part === 'year' && written === '*' ? cronParts.year.join('-') : written)
  }
  const isOpen = (text: string | undefined) => text === '*' || text === '?'
  if (day === '?' && weekday === '?') return fault('cron.fault.noDay')
  return isOpen(day) || isOpen(weekday) ? { parts } : fault('cron.fault.twoDays')
}

/** What is wrong with an expression; nothing when it has 6 or 7 parts that Quartz would take. Never throws. */
export const cronFault = (expression: string): Message | undefined => read(expression).fault

/** The same times for `new Cron(…, cronerOptions)`, in seven parts. Throws RangeError where cronFault finds one. */
export const forCroner = (expression: string): string => {
  const found = read(expression)
  if (found.fault) throw new RangeError(`Not a cron expression: ${expression.slice(0, 200)}`)
  return found.parts.join(' ')
}

/** croner counts weekdays from 1 = Sunday only with this option. */
export const cronerOptions = { mode: '7-part', alternativeWeekdays: true } as const
