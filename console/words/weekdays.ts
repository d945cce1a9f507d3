import { language } from './words.ts'

/** From Monday to Sunday, as they are on the wire. */
export const weekdays = [2, 3, 4, 5, 6, 7, 1] as const
/** 4 January 1970 was a Sunday. */
export const weekdayText = (weekday: number, length: 'short' | 'long' = 'short') =>
  new Intl.DateTimeFormat(language(), { weekday: length, timeZone: 'UTC' }).format(new Date(Date.UTC(1970, 0, 3 + weekday)))
