// Published versions of models.
import { sql } from 'kysely'
import type { Details } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import { numbersOf, ownUnit, readParameters } from '../../../../contract/model-text.ts'
import { modelColumns, pointColumns } from '../../../../contract/point-fields.ts'
import { placeOf } from '../../../../contract/protocols/index.ts'
import type { Row as ModelRow } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { assertConcernsOnlySeen } from '../../../../server/identity/sharedRows.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { proModel } from '../contract.ts'
import { render, type Version } from './plan.ts'
import { mostModelPoints } from './planQueue.ts'
import { withStandards } from './standards.ts'

const models = store(proModel)
type Row = Version['Points'][number]

/** A published version, or undefined before the first. */
export const versionOf = async (db: Db, model: number, version: number): Promise<Version | undefined> => {
  const [found] = await db.rows<{ Parameters: string | null; Points: Row[] }>(
    sql`select "Parameters", "Points" from model_version where "ModelId" = ${model} and "Version" = ${version}`,
  )
  return (
    found && {
      ModelId: model,
      Version: version,
      Parameters: readParameters(found.Parameters),
      Points: await withStandards(db, found.Points),
    }
  )
}

/** Loads a version once per model, with its rows by Id: a scan of 100,000 rows for each point takes seconds. */
export const loadedVersions = (db: Db) => {
  const loaded = new Map<string, { of: Version | undefined; rows: ReadonlyMap<number, Version['Points'][number]> }>()
  return async (model: number, version: number) => {
    const key = `${model}/${version}`
    const known = loaded.get(key)
    if (known) return known
    const of = await versionOf(db, model, version)
    const made = { of, rows: new Map(of?.Points.map((row) => [row.Id, row])) }
    loaded.set(key, made)
    return made
  }
}

type Of = Pick<ModelRow<typeof proModel>, 'Parameters' | 'Protocol'>
/** Lists the errors of a model's points, row by row. Parameters without a default count as 1. */
const wrongRows = (rows: readonly Row[], { Parameters: parameters, Protocol }: Of, language: Language): Required<Details>['Rows'] => {
  const declared = readParameters(parameters)
  const numbers = numbersOf(
    declared.map((p) => ({ ...p, Default: p.Default ?? 1 })),
    null,
    1,
  )
  const open = declared.filter((p) => p.Default === undefined && p.Name !== ownUnit)
  const [names, places] = [new Map<unknown, number>(), new Map<string, number>()]
  return rows.flatMap((row, i) => {
    const { values, obstacles } = render(row, numbers, pointColumns, Protocol)
    const twice = (seen: Map<unknown, number>, key: unknown, Field: string) => {
      const first = seen.get(key)
      seen.set(key, first ?? i + 1)
      return first === undefined ? [] : [{ Field, Reason: 'twice', Values: { row: first } }]
    }
    const found = [
      ...obstacles.filter(({ Reason }) => Reason !== 'modelValue' || !open.length),
      ...(obstacles.length ? [] : [...twice(names, values.ParaName, 'ParaName'), ...twice(places, placeOf(Protocol, values), 'Address')]),
    ]
    return found.map(({ Field, Reason, Values }) => ({
      ...{ Row: i + 1, Field, Value: String(row.ParaName), Message: word(language, `fault.field.${Reason}`, Values) },
    }))
  })
}

/** Stores rows as the next version of a model. */
export const storeVersion = async (
  db: Db,
  model: Pick<ModelRow<typeof proModel>, 'Id' | 'EnterpriseId' | 'Version' | 'Parameters'>,
  rows: readonly Row[],
  user: number | null = null,
) => {
  const kept = ['Id', 'ParaKey', ...modelColumns]
  const points = rows.map((row) => Object.fromEntries(kept.map((name) => [name, row[name]])))
  await db.rows(sql`
    insert into model_version ("EnterpriseId", "ModelId", "Version", "Parameters", "Points", "UserId")
    values (${model.EnterpriseId}, ${model.Id}, ${model.Version + 1}, ${model.Parameters}, ${JSON.stringify(points)}::jsonb, ${user})`)
  await db.rows(sql`update pro_model set "Version" = "Version" + 1, "Edits" = 0, "UpdateTime" = now() where "Id" = ${model.Id}`)
}

/** Publishes the points as the next version. Refuses if the model was edited since the caller loaded it. */
export const publish = (db: Db, actor: Actor, given: { Id: number; Version?: number; Edits?: number }, language: Language) =>
  db.tx(async (db) => {
    const { Id } = given
    await db.rows(sql`select 1 from pro_model where "Id" = ${Id} for update`)
    const before = await models.find(db, actor, Id)
    await assertConcernsOnlySeen(db, actor, proModel, [Id])
    if ((given.Version ?? before.Version) !== before.Version || (given.Edits ?? before.Edits) !== before.Edits)
      throw new Fault('changedMeanwhile', {}, { Current: before })
    const rows = await db.rows<Row>(
      sql`select * from model_para where "ModelId" = ${Id} order by "Sort", "Id" limit ${mostModelPoints + 1}`,
    )
    if (rows.length > mostModelPoints) throw new Fault('modelTooLarge', { max: mostModelPoints })
    const wrong = wrongRows(rows, before, language)
    if (wrong.length) throw new Fault('modelFaulty', { count: wrong.length }, { Rows: wrong.slice(0, 500) })
    await storeVersion(db, before, rows, actor.UserId || null)
    const after = await models.find(db, actor, Id)
    await record(db, actor, proModel, 'update', Id, before.EnterpriseId, before, after)
    return { Version: after.Version }
  }, `proModel ${given.Id}`)
