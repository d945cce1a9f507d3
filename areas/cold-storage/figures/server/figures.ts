import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { holdMs } from '../../excursions/server/service.ts'
import type { StorageType } from '../../rooms/contract.ts'
import { wallText } from '../../rooms/server/service.ts'
import { type coldFigureCalls, type Standard, usualStandard } from '../contract.ts'
import { type Reason, reasonsOf, resultOf } from '../judging.ts'
import { type Asked, type Needs, type RoomData, roomData, roomFound } from './data.ts'

const named = ({ Id, StorageName }: RoomData, { Start, End }: Asked) => ({ ColdStorageId: Id, StorageName, Start, End })
const spanOf = ({ Start, End }: Asked) => ({ start: Start, end: End })

export const statisticsOf = async (
  db: Db,
  actor: Actor,
  asked: Asked,
  needs: Needs,
): Promise<Answer<typeof coldFigureCalls.statistics>> => {
  const room = await roomData(db, actor, asked, needs)
  const limits = { low: room.TempLow, high: room.TempHigh, holdMs }
  const { figures, switches } = await roomFound({ room, span: spanOf(asked), limits, switches: true })
  return { ...named(room, asked), ...figures, ...switches }
}

/** What the company asks of a kind of room, or what is usual. */
export const standardOf = async (db: Db, enterprise: number, type: StorageType): Promise<Standard> => {
  const [row] = await db.rows<{ Standard: Standard }>(
    sql`select "Standard" from cold_standard where "EnterpriseId" = ${enterprise} and "StorageType" = ${type}`,
  )
  return row?.Standard ?? usualStandard(type)
}

/** Text of the reason for a failed check. */
export const reasonText = (language: Language, { Code, SensorName, Values }: Reason) =>
  word(language, `cold.check.${Code}`, { sensor: SensorName ?? '', ...Values })

type Checked = Answer<typeof coldFigureCalls.check>
export const checkOf = async (db: Db, actor: Actor, asked: Asked, needs: Needs, language: Language): Promise<Checked> => {
  const room = await roomData(db, actor, asked, needs)
  const [{ EnterpriseId }] = (await db.rows<{ EnterpriseId: number }>(
    sql`select "EnterpriseId" from cold_storage where "Id" = ${room.Id}`,
  )) as [{ EnterpriseId: number }]
  const standard = await standardOf(db, EnterpriseId, room.StorageType)
  const { TempLow: low, TempHigh: high, DeltaH: energy, IntervalMin } = standard
  const { figures } = await roomFound({ room, span: spanOf(asked), limits: { low, high, energy, holdMs: IntervalMin * 60_000 } })
  const lastDay = wallText(asked.End, room.Zone).slice(0, 10)
  const reasons = reasonsOf(figures, room.sensors, standard, { start: asked.Start, end: asked.End, lastDay })
  const Reasons = reasons.map((reason) => {
    const { Code, SensorName, IsShort } = reason
    return { Code, SensorName, IsShort, Text: reasonText(language, reason) }
  })
  return { ...named(room, asked), ...figures, Standard: standard, Result: resultOf(reasons), Reasons }
}
