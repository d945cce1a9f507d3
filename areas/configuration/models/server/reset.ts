// Resets points to the values of their model.
import { sql } from 'kysely'
import { numbersOf } from '../../../../contract/model-text.ts'
import { modelColumns } from '../../../../contract/point-fields.ts'
import { brokenRules } from '../../../../contract/rules.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { saveMany } from '../../../../server/resource/bulk.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { writesOf } from '../../../../server/resource/store.ts'
import { protocolColumn } from '../../channels/server/service.ts'
import { point as points } from '../../points/contract.ts'
import { type Point, render, type Values } from './plan.ts'
import { applied, asModel, columnsFor } from './targets.ts'
import { loadedVersions } from './versions.ts'

type Held = Point & {
  EnterpriseId: number
  ModelId: number
  ModelVersion: number
  ModelValues: string | null
  OfDevice: number
  OfProtocol: number
}

/** `fields`: the fields to reset, by default all overrides. */
export const resetPoints = (db: Db, actor: Actor, given: readonly number[], fields?: readonly string[]) =>
  db.tx(
    async (db) => {
      const ids = [...new Set(given)]
      const unknown = fields?.find((name) => !modelColumns.includes(name))
      if (unknown !== undefined) throw new FieldFaults([{ field: 'Fields', rule: 'unknownField' }])
      const held = await db.rows<Held>(sql`
      select t.*, d."ModelId", d."ModelVersion", d."ModelValues", d."SlaveNumber" as "OfDevice", ${protocolColumn('d')} as "OfProtocol" from point t join device d on d."Id" = t."DeviceId"
      where t."Id" = any(${ids}::bigint[]) and ${visible(points, actor)} order by t."Id" for no key update of t`)
      if (held.length < ids.length) throw notFound()
      const columns = columnsFor(actor)
      const versionOf = loadedVersions(db)
      const change: (Values & { Id: number; EnterpriseId: number })[] = []
      for (const point of held) {
        const { ModelId, ModelVersion, ModelValues, OfDevice, OfProtocol, ...row } = point
        const { of: version, rows } = point.ModelParaId ? await versionOf(ModelId, ModelVersion) : {}
        const of = rows?.get(point.ModelParaId!)
        if (!version || !of) throw new Fault('noModel', { name: point.ParaName })
        const { values, obstacles } = render(of, numbersOf(version.Parameters, ModelValues, OfDevice), columns, OfProtocol)
        const own = point.Overrides ?? []
        const back = columns.filter((name) => own.includes(name) && (!fields || fields.includes(name)))
        const blocked = obstacles.find(({ Field }) => back.includes(Field))
        if (blocked) throw new FieldFaults([{ field: blocked.Field, rule: blocked.Reason, values: blocked.Values }])
        if (!back.length) continue
        const left = own.filter((name) => !back.includes(name))
        const after = { ...row, ...Object.fromEntries(back.map((name) => [name, values[name]])), Overrides: left.length ? left : null }
        const broken = brokenRules(points.rules, after, back)
        if (broken.length) throw new FieldFaults(broken)
        change.push(after)
      }
      await asModel(db, async () => {
        for (const [enterprise, rows] of Map.groupBy(change, (row) => row.EnterpriseId))
          await saveMany(db, actor, applied, enterprise, { add: [], change: rows })
      })
      return { Changed: change.length }
    },
    writesOf(points, actor),
  )
