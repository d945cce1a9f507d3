// Live values are no rows of the database; described like a resource, their list is arranged like any other.

import type { ListState } from '../../../../console/kernel/list/listState.ts'
import { readingOf } from '../../../../console/live/reading.ts'
import { isBool, valueText } from '../../../../console/live/valueText.ts'
import { invoke, saveCsv } from '../../../../console/session/request.ts'
import { numberText, timeText } from '../../../../console/words/formats.ts'
import { type Words, words } from '../../../../console/words/words.ts'
import type { Cell } from '../../../../contract/cell.ts'
import { number, text } from '../../../../contract/field.ts'
import { resource } from '../../../../contract/resource.ts'
import { type ParaInfo, telemetryCalls } from '../../../../contract/telemetry.ts'

export const live = resource('live', {
  path: telemetryCalls.allParaInfo.path,
  permission: telemetryCalls.last.permission,
  title: 'ParaName',
  order: '',
  fields: { ParaName: text({ search: true }), DeviceName: text({ search: true }), AlarmLow: number(), AlarmHigh: number() },
})

export const liveColumns = ['ParaName', 'Value', 'State', 'Age', 'Limits', 'DeviceName']
export type LiveRow = ParaInfo & { Id: number }

/** The rows that the state of the list leaves, in its order; the page is cut by the caller. */
export const narrow = (points: readonly ParaInfo[], { search, sort }: Pick<ListState, 'search' | 'sort'>): LiveRow[] => {
  const wanted = search.trim().toLocaleLowerCase()
  const rows = points
    .filter((p) => `${p.ParaName} ${p.DeviceName}`.toLocaleLowerCase().includes(wanted))
    .map((p) => ({ ...p, Id: p.ParaId }))
  const by = sort.replace(/^-/, '') as keyof ParaInfo
  if (!sort || !(by in live.fields)) return rows
  const sign = sort.startsWith('-') ? -1 : 1
  const compare = (a: unknown, b: unknown) =>
    a === b ? 0 : a === null ? 1 : b === null ? -1 : sign * (typeof a === 'number' ? a - Number(b) : String(a).localeCompare(String(b)))
  return rows.sort((a, b) => compare(a[by], b[by]))
}

/** Live values of all points as text, including those on other pages. */
export const saveLive = async (rows: readonly LiveRow[], columns: readonly string[]) => {
  const newest = new Map<number, { Time: number; Value: number | null; Quality: number }>()
  for (let at = 0; at < rows.length; at += 1000) {
    const ParaIds = rows.slice(at, at + 1000).map((p) => p.ParaId)
    for (const s of await invoke(telemetryCalls.last, { body: { ParaIds } })) newest.set(s.ParaId, s)
  }
  const now = Date.now()
  const cell = (p: LiveRow, column: string): Cell => {
    const s = newest.get(p.ParaId)
    switch (column) {
      case 'Value':
        if (s?.Value === null || s === undefined) return ''
        return isBool(p) ? valueText(s.Value, p, words) : s.Value
      case 'State':
        return words(`reading.${readingOf(p, s, now).word}`)
      case 'Age':
        return s ? timeText(s.Time) : ''
      case 'Limits':
        return limitsText(p, 'en', words)
      default:
        return String(p[column as keyof ParaInfo] ?? '')
    }
  }
  const titles = columns.map((c) => words(c === 'Age' ? 'live.Time' : `live.${c}`))
  saveCsv([titles, ...rows.map((p) => columns.map((c) => cell(p, c)))], `live-${timeText(now).replaceAll(/[ :]/g, '-')}.csv`)
}

/** Values that raise no alarm; of a Bool the state that raises one. */
export const limitsText = (p: ParaInfo, language: string, t: Words): string => {
  const { AlarmLow: low, AlarmHigh: high } = p
  if (isBool(p)) {
    const raising = [0, 1].filter((value) => (low !== null && value < low) || (high !== null && value > high))
    return raising.length === 1 ? t('alarm.terms.1', { a: valueText(raising[0], p, t) }) : ''
  }
  const text = (v: number) => numberText(v, p.DecimalDigits, language, 3)
  if (low !== null && high !== null) return `${text(low)} – ${text(high)}`
  if (low !== null) return `≥ ${text(low)}`
  return high !== null ? `≤ ${text(high)}` : ''
}
