import { language } from './words.ts'

/** Monday to Sunday, with their numbers on the wire. */
export const weekdays = [2, 3, 4, 5, 6, 7, 1] as const
/** 4 January 1970 was a Sunday. */
export const weekdayText = (weekday: number, length: 'short' | 'long' = 'short') =>
  new Intl.DateTimeFormat(language(), { weekday: length, timeZone: 'UTC' }).format(new Date(Date.UTC(1970, 0, 3 + weekday)))
