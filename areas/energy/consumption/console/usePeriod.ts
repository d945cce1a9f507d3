import { useCallback } from 'react'
import { calendarSpanOf, type Days, daysOf, inSpan, lengthOf } from '../../../../console/chart/calendarSpans.ts'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { dayText } from '../../../../console/words/formats.ts'
import { mostDays } from '../contract.ts'

const place = 'penstock.energyPeriod'

/** What was looked at last; what held its day then holds today now. */
const remembered = (today: string): string | undefined => {
  const [of = '', day = ''] = (localStorage.getItem(place) ?? '').split(' ')
  const days = daysOf(of)
  if (!days) return undefined
  return days.from <= day && day <= days.to && calendarSpanOf(of) !== 'range' ? inSpan(day, calendarSpanOf(of), today) : of
}

export type Period = {
  /** As the address writes it. */
  of: string
  /** Its days up to today. */
  days: Days
  today: string
  set: (of: string) => void
}
/** The period that screens of energy show. The address names it, and the browser remembers it from screen to screen. */
export const usePeriod = (): Period => {
  const [address, put] = useAddress()
  const today = dayText(Date.now())
  const isShort = (of: string) => lengthOf(daysOf(of) ?? { from: today, to: today }) <= mostDays
  const asked = [address.get('of') ?? '', remembered(today) ?? '', today.slice(0, 7)].find((of) => daysOf(of) && isShort(of))!
  const { from, to } = daysOf(asked)!
  const set = useCallback(
    (of: string) => {
      localStorage.setItem(place, `${of} ${today}`)
      put({ of })
    },
    [put, today],
  )
  return { of: asked, days: { from, to: to > today && from <= today ? today : to }, today, set }
}
