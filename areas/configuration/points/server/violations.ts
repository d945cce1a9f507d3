import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import { mostPreselected } from '../../../../contract/point-rules.ts'
import { brokenRules } from '../../../../contract/rules.ts'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { inSlices } from '../../../../server/jobs/slices.ts'
import { column, visible } from '../../../../server/resource/sql.ts'
import { readableFields, store } from '../../../../server/resource/store.ts'
import { project } from '../../projects/contract.ts'
import { point } from '../contract.ts'

type Values = Record<string, unknown> & { Id: number; DeviceId: number; DeviceName: string; ParaName: string }
const [chunkRows, shownRows] = [5000, 1000]
const chartField = 'IsChartShow'

/** Checks the stored points of a project against all rules and warnings. Fields that are hidden from the actor are not checked. */
export const violationsOf = async (db: Db, actor: Actor, projectId: number, language: Language) => {
  await store(project).find(db, actor, projectId)
  const names = Object.keys(readableFields(point, actor).fields).filter((name) => point.fields[name as never])
  const found = {
    Broken: 0,
    Warnings: 0,
    Rows: [] as {
      DeviceId: number
      DeviceName: string
      ParaId: number | null
      ParaName: string
      Field: string
      IsBroken: number
      Message: string
    }[],
  }
  const note = (
    row: Pick<Values, 'DeviceId' | 'DeviceName' | 'ParaName'> & { Id: number | null },
    Field: string,
    rule: string,
    IsBroken: 0 | 1,
  ) => {
    found[IsBroken ? 'Broken' : 'Warnings']++
    const { DeviceId, DeviceName, Id: ParaId, ParaName } = row
    const Message = word(language, `fault.field.${rule}`, { max: mostPreselected })
    if (found.Rows.length < shownRows) found.Rows.push({ DeviceId, DeviceName, ParaId, ParaName, Field, IsBroken, Message })
  }
  const preselected = new Map<number, { DeviceId: number; DeviceName: string; count: number }>()
  for (let after = 0; ; ) {
    const rows = await db.rows<Values>(sql`
      select t."Id", d."DeviceName", ${sql.join(names.map((name) => column(name)))} from point t
      join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
      where g."ProjectId" = ${projectId} and t."Id" > ${after} and ${visible(point, actor)} order by t."Id" limit ${chunkRows}`)
    await inSlices(
      rows,
      () => 1,
      (row) => {
        for (const { field, rule } of brokenRules(point.rules, row, names)) note(row, field, rule, 1)
        for (const { field, rule } of brokenRules(point.warnings, row, names)) note(row, field, rule, 0)
        const { DeviceId, DeviceName } = row
        if (row[chartField] === 2) preselected.set(DeviceId, { DeviceId, DeviceName, count: (preselected.get(DeviceId)?.count ?? 0) + 1 })
      },
    )
    if (rows.length < chunkRows) break
    after = rows.at(-1)!.Id
  }
  for (const { count, ...device } of preselected.values())
    if (count > mostPreselected) note({ ...device, Id: null, ParaName: '' }, chartField, 'preselectedMany', 0)
  return found
}
