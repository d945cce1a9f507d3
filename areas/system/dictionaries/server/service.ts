import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { table } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'

export type Entry = { DataValue: string; DataName: string; Colour: string | null }

const nameColumn: Record<Language, string> = { en: 'NameEn', zh: 'NameZh', es: 'NameEs', ja: 'NameJa' }

const enabled = (db: Db, actor: Actor, language: Language, code: string | null) =>
  db.rows<Entry & { DictCode: string }>(sql`
    select d."DictCode", x."DataValue", coalesce(nullif(x.${sql.id(nameColumn[language])}, ''), x."DataName") as "DataName", x."Colour"
    from data_dict x join dict d on d."Id" = x."DictId"
    where x."EnterpriseId" = ${actor.EnterpriseId} and x."Status" = 1 and (${code}::text is null or d."DictCode" = ${code})
    order by d."DictCode", x."Sort", x."Id"`)

/** The enabled values of a lookup list of the actor's tenant. Throws notFound if it does not exist there. */
export const valuesOf = async (db: Db, actor: Actor, language: Language, code: string): Promise<Entry[]> => {
  const entries = await enabled(db, actor, language, code)
  if (!entries.length) {
    const [held] = await db.rows(sql`select 1 from dict where "EnterpriseId" = ${actor.EnterpriseId} and "DictCode" = ${code}`)
    if (!held) throw notFound()
  }
  return entries.map(({ DictCode: _, ...entry }) => entry)
}

/** Data types are codes of the point table, which are numbers there (specification, section 3). */
const asNumber = (value: string) => (Number.isFinite(Number(value)) ? Number(value) : value)

/** All lookup lists of the actor's tenant by code, for the basic data call. */
export const dataDictionary = async (db: Db, actor: Actor, language: Language) => {
  const entries = await enabled(db, actor, language, null)
  const groups = Map.groupBy(entries, (entry) => entry.DictCode)
  return Object.fromEntries(
    [...groups].map(([code, members]) => [
      code,
      members.map(({ DataValue, DataName, Colour }) => ({
        DataValue: code === 'TestDataTypeDic' ? asNumber(DataValue) : DataValue,
        DataName,
        Colour,
      })),
    ]),
  )
}

/** Removes values, all or none; built-in values can be neither removed nor changed. */
export const removeOwn = async (db: Db, actor: Actor, r: Resource, ids: readonly number[]) => {
  const [builtIn] = await db.rows(
    sql`select 1 from ${table(r)} where "Id" = any(${ids}::bigint[]) and "IsSystem" = 1 and (${actor.platform} or "EnterpriseId" = ${actor.EnterpriseId})`,
  )
  if (builtIn) throw new Fault('builtIn')
  return store(r).remove(db, actor, ids)
}
