// Applies the published version of a model to devices in one transaction.
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { clearTitles, saveMany } from '../../../../server/resource/bulk.ts'
import { recordAll, store, writesOf } from '../../../../server/resource/store.ts'
import { device as devices } from '../../devices/contract.ts'
import { point as points } from '../../points/contract.ts'
import { proModel } from '../contract.ts'
import { type DevicePlan, planDevices, renamed, type Values, type Version } from './plan.ts'
import { renameInRules, rulesNaming } from './rules.ts'
import {
  type Answer,
  answerOf,
  applied,
  asModel,
  assertFree,
  chunkRows,
  columnsFor,
  devicesOf,
  readTargets,
  writeAdded,
  writeGave,
} from './targets.ts'
import { versionOf } from './versions.ts'

export type Application = {
  ModelId: number
  DeviceIds?: number[]
  ProjectId?: number
  RemoveGone?: 0 | 1
  RenameInRules?: 0 | 1
  Preview?: 0 | 1
}

const write = async (db: Db, actor: Actor, enterprise: number, plans: readonly DevicePlan[], version: Version, removeGone: boolean) => {
  const ids = plans.map(({ device }) => device.Id)
  const moved = plans.filter(({ device }) => device.ModelId !== version.ModelId).map(({ device }) => device.Id)
  if (moved.length) await db.rows(sql`update device set "ModelId" = ${version.ModelId} where "Id" = any(${moved}::bigint[])`)
  const behind = plans.filter(({ device }) => device.ModelId !== version.ModelId || device.ModelVersion !== version.Version)
  await db.rows(
    sql`update device set "ModelVersion" = ${version.Version}, "UpdateTime" = now() where "Id" = any(${ids}::bigint[]) and "ModelVersion" is distinct from ${version.Version}`,
  )
  const entries = behind.map(({ device: { Id, ModelId, ModelVersion } }) => ({
    ...{ Id, EnterpriseId: enterprise, Before: { ModelId, ModelVersion } },
    After: { ModelId: version.ModelId, ModelVersion: version.Version },
  }))
  if (entries.length) await recordAll(db, actor, devices, 'update', entries)
  const change = plans.flatMap((plan) => plan.change.map(({ values }) => values as Values & { Id: number }))
  const gone = plans.flatMap((plan) => plan.gone)
  await asModel(db, async () => {
    for (let i = 0; i < gone.length; i += chunkRows) {
      const part = gone.slice(i, i + chunkRows)
      if (removeGone)
        await store(points).remove(
          db,
          actor,
          part.map((p) => p.Id),
        )
      else
        await saveMany(db, actor, applied, enterprise, { add: [], change: part.map((p) => ({ ...p, ModelParaId: null, Overrides: null })) })
    }
    // Two points may swap their names.
    const renames = plans.flatMap((plan) =>
      plan.change.filter((c) => c.cells.some((cell) => cell.Field === 'ParaName')).map((c) => c.point.Id),
    )
    await clearTitles(db, applied, renames)
    for (let i = 0; i < change.length; i += chunkRows)
      await saveMany(db, actor, applied, enterprise, { add: [], change: change.slice(i, i + chunkRows) })
    await writeAdded(db, actor, enterprise, plans)
    await writeGave(
      db,
      plans.flatMap((plan) => plan.gave),
    )
  })
}

export const applyModel = (db: Db, actor: Actor, given: Application, language: Language): Promise<Answer> =>
  db.tx(
    async (db) => {
      if (!given.ProjectId && !given.DeviceIds?.length) throw new FieldFaults([{ field: 'DeviceIds', rule: 'required' }])
      // Locks out publication, which must know the version of each device.
      if (!given.Preview) await db.rows(sql`select 1 from pro_model where "Id" = ${given.ModelId} for key share`)
      const model = await store(proModel).find(db, actor, given.ModelId)
      const version = await versionOf(db, model.Id, model.Version)
      if (!version) throw new Fault('modelUnpublished', { name: model.ModelName })
      const found = await devicesOf(db, actor, model.EnterpriseId, given)
      const removeGone = given.RemoveGone === 1
      const { rows, places } = await readTargets(db, found, version.Points.length)
      const plans = await planDevices(version, found, rows, { places, removeGone, columns: columnsFor(actor) })
      const names = renamed(plans)
      const rules = await rulesNaming(db, actor, model.Id, names)
      const answer = { ...(await answerOf(db, model.EnterpriseId, plans, { language, removeGone, version })), Rules: rules }
      if (given.Preview) return answer
      assertFree(plans, given.RenameInRules ? 0 : rules.length, language)
      await write(db, actor, model.EnterpriseId, plans, version, removeGone)
      if (given.RenameInRules && rules.length) await renameInRules(db, actor, model.Id, names, rules)
      return answer
    },
    writesOf(points, actor),
  )
