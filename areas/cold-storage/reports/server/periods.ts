import { sql } from 'kysely'
import { isDay } from '../../../../contract/days.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Span } from './gather.ts'

const units = { 1: 'day', 2: 'week', 3: 'month' } as const

/** The day, week (starting Monday) or month that contains a day, in a time zone. */
export const spanOfPeriod = async (db: Db, period: keyof typeof units, day: string, zone: string): Promise<Span> => {
  if (!isDay(day)) throw new FieldFaults([{ field: 'Day', rule: 'noSuchDay' }])
  const unit = units[period]
  const at = (wall: ReturnType<typeof sql>) => sql`(extract(epoch from ${wall} at time zone ${zone}::text) * 1000)::float8`
  const [span] = await db.rows<Span>(sql`
    select ${at(sql`w`)} as "Start", ${at(sql`(w + ${`1 ${unit}`}::interval)`)} as "End"
    from (select date_trunc(${unit}::text, ${day}::timestamp) as w) of`)
  return span!
}
