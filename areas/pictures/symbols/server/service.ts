import { sql } from 'kysely'
import { type Drawing, drawingFaults } from '../../../../contract/picture/drawing.ts'
import { ownKey } from '../../../../contract/picture/ownSymbol.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, inUse, type User } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'
import { copyName } from '../../../../server/resource/copyName.ts'
import { named, visible } from '../../../../server/resource/sql.ts'
import { type AssertUnused, type Check, store } from '../../../../server/resource/store.ts'
import { type Adopted, mostSymbols, type Portable, pictureSymbol } from '../contract.ts'

const check: Check<typeof pictureSymbol> = async (_db, _actor, given) => {
  const faults = given.Drawing ? drawingFaults(given.Drawing as Drawing) : []
  if (faults.length) throw new FieldFaults(faults.map(({ field, ...rest }) => ({ field: `Drawing.${field}`, ...rest })))
  return given
}
/**
 * Refuses to remove symbols used by pictures, in their draft or shown version, or by templates. These contain copies, but without the
 * symbol nobody could draw them again.
 */
const assertNotDrawn: AssertUnused = async (db, actor, rows) => {
  const keys = rows.map(({ Id }) => ownKey(Id))
  const any = sql`any(${keys.map((symbol) => JSON.stringify({ items: [{ symbol }] }))}::jsonb[])`
  // A scene contains the symbols that it uses, so only a few scenes are scanned.
  const uses = (scene: ReturnType<typeof sql>) => sql`case when exists (
    select 1 from jsonb_array_elements(${scene} -> 'symbols') own where own ->> 'id' = any(${keys}::text[])) then ${scene} @> ${any} else false end`
  const ours = sql`t."EnterpriseId" = any(${rows.map(({ EnterpriseId }) => EnterpriseId)}::bigint[])`
  const shown = sql`v."Version" = case when t."VersionMode" = 1 and t."VersionNo" is not null then t."VersionNo" else t."Version" end`
  const users = await db.rows<User>(sql`
    select 'flowchart' as "Resource", t."Id", t."FlowchartName" as "Title", ${visible(named('flowchart'), actor)} as "Seen"
    from flowchart t where ${ours} and (
      exists (select 1 from flowchart_draft d where d."FlowchartId" = t."Id" and ${uses(sql`d."Scene"`)})
      or exists (select 1 from flowchart_version v where v."FlowchartId" = t."Id" and ${shown} and ${uses(sql`v."Scene"`)}))
    union all
    select 'flowChartTemplate', t."Id", t."TemplateName", ${visible(named('flowChartTemplate'), actor)}
    from flow_chart_template t where ${ours} and ${uses(sql`t."Scene"`)} order by 1, 2 limit 20`)
  if (users.length) throw inUse(users)
}

const symbols = store(pictureSymbol, check, assertNotDrawn)

const create = (db: Db, actor: Actor, given: Record<string, unknown>) =>
  db.tx(async (db) => {
    const made = await symbols.create(db, actor, given)
    const [row] = await db.rows<{ n: number }>(
      sql`select count(*)::int as n from picture_symbol where "EnterpriseId" = ${made.EnterpriseId}`,
    )
    if (row!.n > mostSymbols) throw new FieldFaults([{ field: 'SymbolName', rule: 'symbol.tooMany', values: { most: mostSymbols } }])
    return made
  }, `symbols of ${actor.EnterpriseId}`)

/** A removal reads all drawings of a company. */
const removals = boundedQueue({ concurrency: 1, backlog: 20, refusal: 'tooMany' })
const remove = (db: Db, actor: Actor, ids: readonly number[]) => removals(() => symbols.remove(db, actor, ids), { key: actor.EnterpriseId })

/** Symbols of a file as the company's own: an identical drawing is reused, others are added. */
export const adoptSymbols = (db: Db, actor: Actor, given: readonly Portable[], enterprise = actor.EnterpriseId): Promise<Adopted[]> =>
  db.tx(async (db) => {
    const adopted: Adopted[] = []
    for (const one of given) {
      const [equal] = await db.rows<{ Id: number; SymbolName: string }>(sql`
        select "Id", "SymbolName" from picture_symbol t
        where "EnterpriseId" = ${enterprise} and "Drawing" = ${JSON.stringify(one.Drawing)}::jsonb and ${visible(pictureSymbol, actor)}
        order by "Id" limit 1`)
      if (equal) adopted.push({ ...equal, Made: false })
      else {
        const [taken] = await db.rows(
          sql`select 1 from picture_symbol t where "EnterpriseId" = ${enterprise} and "SymbolName" = ${one.SymbolName}`,
        )
        const SymbolName = taken
          ? await copyName(db, pictureSymbol, one.SymbolName.slice(0, 40), sql`t."EnterpriseId" = ${enterprise}`)
          : one.SymbolName
        const { Id } = await create(db, actor, { SymbolName, Drawing: one.Drawing, EnterpriseId: enterprise })
        adopted.push({ Id, SymbolName, Made: true })
      }
    }
    return adopted
  })

export const symbolWork = { ...symbols, create, remove }
