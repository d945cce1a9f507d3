// The ledger of circuits: amounts and meter readings.
import { sql } from 'kysely'
import { flag, number, text } from '../../../../contract/field.ts'
import { resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { energyInfo, fromEntries } from '../../circuits/contract.ts'
import { energyInfoData } from '../contract.ts'
import { type LedgerKind, type Slot, slotsIn, type Unusual } from './entries.ts'

const usual = 3
/** Beyond half or one and a half of the mean of the three before it. */
const isUnusual = (value: number, before: readonly number[]) => {
  if (before.length < usual) return undefined
  const mean = before.reduce((sum, one) => sum + one, 0) / before.length
  return value < mean * 0.5 || value > mean * 1.5 ? { mean } : undefined
}
/** What is unusual about slots, against what is stored: amounts, and what meters counted between their readings. */
const unusualIn = async (db: Db, slots: readonly Slot[]): Promise<Unusual[]> => {
  const rows = await db.rows<{ At: number; Values: number[] }>(sql`
    select s."At", coalesce((select jsonb_agg(b."Value" order by b."DataTime" desc) from (
        select d."Value", d."DataTime" from energy_info_data d
        where d."EnergyInfoId" = s."Subject" and d."IsReading" = (s."Beside" ->> 'IsReading')::int
          and (d."IsReading" = 1 or d."CycleType" = s."Cycle") and d."DataTime" < s.at
        order by d."DataTime" desc limit ${usual + 1}) b), '[]') as "Values"
    from ${slotsIn(slots)} s where s."Value" is not null order by s."At"`)
  return rows.flatMap(({ At, Values }): Unusual[] => {
    const { value, beside } = slots[At]!
    const isReading = beside.IsReading === 1
    if (isReading && Values.length && value! < Values[0]!) return [{ at: At, rule: 'entry.readingFell', values: { before: Values[0]! } }]
    const counted = Values.slice(0, -1).map((one, i) => one - Values[i + 1]!)
    const found = isReading ? Values.length > usual && isUnusual(value! - Values[0]!, counted) : isUnusual(value!, Values.slice(0, usual))
    return found ? [{ at: At, rule: 'entry.unusualAmount', values: { mean: Math.round(found.mean * 1000) / 1000 } }] : []
  })
}

const sheet = resource('energyInfoData', {
  path: energyInfoData.path,
  permission: energyInfoData.permission,
  title: 'EnergyCode',
  fields: {
    EnergyCode: text({ required: true, max: 30 }),
    DataTime: text({ required: true, max: 19, unique: 'EnergyCode' }),
    Value: number({ required: true, min: 0, max: 1e12 }),
    IsReading: flag({ required: true, default: 0 }),
  },
})

export const energyLedger: LedgerKind = {
  ...{ entries: energyInfoData, of: energyInfo, ref: 'EnergyInfoId', code: 'EnergyCode', name: 'EnergyName', entered: fromEntries },
  beside: { IsReading: 'smallint' },
  ...{ sheet, example: { EnergyCode: 'E01', DataTime: '2026-01-31', Value: 120.5, IsReading: 0 } },
  isOther: (before, { beside }) => before.IsReading !== beside.IsReading,
  unusualIn,
}
