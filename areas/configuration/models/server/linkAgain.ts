// Links restored points to their model again.
import { sql } from 'kysely'
import { numbersOf } from '../../../../contract/model-text.ts'
import { modelColumns } from '../../../../contract/point-fields.ts'
import type { Db } from '../../../../server/database/db.ts'
import { type Point, render, type Values } from './plan.ts'
import { asModel, chunkRows } from './targets.ts'
import { loadedVersions } from './versions.ts'

type Found = Point & { ModelId: number; ModelVersion: number; ModelValues: string | null; OfDevice: number; ModelRow: number }

/** Links points to rows of the version of their device. Exactly the columns that differ from the model are overrides. */
export const linkAgain = async (db: Db, links: readonly { Id: number; ModelParaId: number }[]) => {
  const versionOf = loadedVersions(db)
  for (let i = 0; i < links.length; i += chunkRows) {
    const found = await db.rows<Found>(sql`
      select p.*, d."ModelId", d."ModelVersion", d."ModelValues", d."SlaveNumber" as "OfDevice", s."ModelParaId" as "ModelRow"
      from jsonb_populate_recordset(null::public.point, ${JSON.stringify(links.slice(i, i + chunkRows))}::jsonb) s
      join point p on p."Id" = s."Id" join device d on d."Id" = p."DeviceId"
      where d."ModelId" is not null and d."ModelVersion" is not null
        and not exists (select from point q where q."DeviceId" = p."DeviceId" and q."ModelParaId" = s."ModelParaId")`)
    const linked: Values[] = []
    for (const { ModelId, ModelVersion, ModelValues, OfDevice, ModelRow, ...point } of found) {
      const { of: version, rows } = await versionOf(ModelId, ModelVersion)
      const row = rows.get(ModelRow)
      if (!version || !row) continue
      const { values } = render(row, numbersOf(version.Parameters, ModelValues, OfDevice), modelColumns)
      const own = modelColumns.filter((name) => (values[name] ?? null) !== (point[name] ?? null))
      linked.push({
        ...{ Id: point.Id, ModelParaId: ModelRow, Overrides: own.length ? own : null },
        ModelGave: own.length ? Object.fromEntries(own.map((name) => [name, values[name] ?? null])) : null,
      })
    }
    await asModel(db, () =>
      db.rows(sql`
        update point t set "ModelParaId" = s."ModelParaId", "Overrides" = s."Overrides", "ModelGave" = s."ModelGave"
        from jsonb_populate_recordset(null::public.point, ${JSON.stringify(linked)}::jsonb) s where t."Id" = s."Id"`),
    )
  }
}
