// How the cells of reports read, on paper and on the screen.
import { numberText, shareText } from '../../../contract/formats.ts'
import type { Language } from '../../../contract/languages.ts'
import type { Column, ReportCell, ReportDocument } from './blocks.ts'

type Of = Pick<ReportDocument, 'TimeZone'> & { language: Language }
const clocks = new Map<string, Intl.DateTimeFormat>()
/** `2026-11-24 06:00`. Formatters are cached: creating one costs more than using it. */
export const momentText = (at: number, zone: string) => {
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  clocks.set(zone, clock)
  return clock.format(at)
}

/** `3 h 05 min`, `12 s` */
const durationText = (ms: number) => {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  return hours ? `${hours} h ${String(minutes).padStart(2, '0')} min` : `${minutes} min`
}

/** The text of a cell. */
export const cellText = (cell: ReportCell, { Is, Digits = 0 }: Column, { TimeZone, language }: Of): string => {
  if (cell === null) return '–'
  if (typeof cell === 'string') return cell
  if (Is === 'percent') return shareText(cell, language)
  if (Is === 'duration') return durationText(cell)
  if (Is === 'time') return momentText(cell, TimeZone)
  return Is === 'day' ? momentText(cell, TimeZone).slice(0, 10) : numberText(cell, Digits, language)
}
