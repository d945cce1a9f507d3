// What the columns of a report are called, and which days they hold. Pure.
import { type Days, daysOf } from '../../../../../console/chart/calendarSpans.ts'
import type { Words } from '../../../../../console/words/words.ts'
import type { Matrix, reportColumns } from '../../contract.ts'
import { levelKey } from '../parts.ts'

export type Columns = (typeof reportColumns)[number]

/** Keys are days, months or price levels; levels that do not occur stay out. A month at an end of the period is cut there. */
export const columnsOf = ({ Columns, Rows }: Matrix, by: Columns, days: Days, t: Words) =>
  Columns.flatMap(({ Key }, at) => {
    if (by === 'level') return Rows.some(({ Cells }) => Cells[at]?.Energy) ? [{ key: Key, at, title: t(levelKey(Number(Key))), days }] : []
    const own = daysOf(Key) ?? days
    const [, from] = [own.from, days.from].sort()
    const [to] = [own.to, days.to].sort()
    return [{ key: Key, at, title: by === 'day' ? Key.slice(5) : Key, days: { from: from!, to: to! } }]
  })
