import { sql } from 'kysely'
import { parseFormula, referencesOf, type Tree } from '../../../../contract/expression/parse.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { Check } from '../../../../server/resource/store.ts'
import type { Formula } from '../../../../server/telemetry/meaning/formula.ts'
import { point } from '../../../configuration/points/contract.ts'
import { type Flaw, formulaPoint, mostBehind, mostNamed } from '../contract.ts'

export type FormulaRow = {
  Id: number
  EnterpriseId: number
  Zone: string
  FormulaName: string
  ProjectId: number
  ProjectName: string
  Expression: string
  ParaUnitName: string | null
  DecimalDigits: number
  CalDataType: number
  PointIds: number[]
  FormulaIds: number[]
}
type Inner = Pick<FormulaRow, 'Id' | 'Expression' | 'PointIds' | 'FormulaIds'>

const idsIn = (tree: Tree) => referencesOf(tree).flatMap((of) => ('id' in of ? [of.id] : []))

/** Those of the Ids that are formulas which the actor sees. */
export const visibleFormulas = (db: Db, actor: Actor, ids: readonly number[]) =>
  db.rows<FormulaRow>(sql`
    select t."Id", t."EnterpriseId", e."TimeZoneKey" as "Zone", t."FormulaName", t."ProjectId", p."ProjectName", t."Expression", t."ParaUnitName",
      t."DecimalDigits", t."CalDataType", t."PointIds", t."FormulaIds"
    from formula_point t join enterprise e on e."Id" = t."EnterpriseId" join project p on p."Id" = t."ProjectId"
    where t."Id" = any(${ids}::bigint[]) and ${visible(formulaPoint, actor)}`)

/** Formulas with all formulas in them. */
const withInner = (db: Db, ids: readonly number[]) =>
  db.rows<Inner>(sql`
    with recursive all_of as (
      select "Id", "FormulaIds" from formula_point where "Id" = any(${ids}::bigint[])
      union
      select f."Id", f."FormulaIds" from all_of a, jsonb_array_elements(a."FormulaIds") i join formula_point f on f."Id" = i::bigint)
    select f."Id", f."Expression", f."PointIds", f."FormulaIds" from formula_point f where f."Id" in (select "Id" from all_of)`)

const missing: Tree = { kind: 'operator', operator: '/', left: { kind: 'number', value: 0 }, right: { kind: 'number', value: 0 } }
/** Levels of formulas in formulas that are worked out. */
const deepest = 20

/** Parts of a tree; more would take the server too long. */
export const mostParts = 2000
type Inners = ReadonlyMap<number, Pick<Inner, 'Expression'>>
/**
 * A tree over stored points alone. What is gone, or goes in a circle, has no value. It ends soon after it is too large: formulas that
 * name each other often, changed from the outermost inwards, would be of any size.
 */
export const expanded = (tree: Tree, inner: Inners, budget = { left: mostParts }, depth = 0): Tree => {
  if (budget.left < 0) return missing
  switch (tree.kind) {
    case 'reference': {
      const formula = 'id' in tree.of ? inner.get(tree.of.id) : undefined
      if (!formula) {
        budget.left--
        return tree
      }
      const own = depth < deepest ? parseFormula(formula.Expression).tree : undefined
      return own ? expanded(own, inner, budget, depth + 1) : missing
    }
    case 'operator':
      budget.left--
      return { ...tree, left: expanded(tree.left, inner, budget, depth), right: expanded(tree.right, inner, budget, depth) }
    case 'function':
      budget.left--
      return { ...tree, of: tree.of.map((one) => expanded(one, inner, budget, depth)) }
    case 'not':
    case 'minus':
    case 'history':
      budget.left--
      return { ...tree, of: expanded(tree.of, inner, budget, depth) }
    default:
      budget.left--
      return tree
  }
}

/** How many parts a tree has. */
export const sizeOf = (tree: Tree): number => {
  if (tree.kind === 'operator') return 1 + sizeOf(tree.left) + sizeOf(tree.right)
  if (tree.kind === 'function') return 1 + tree.of.reduce((sum, one) => sum + sizeOf(one), 0)
  return tree.kind === 'not' || tree.kind === 'minus' || tree.kind === 'history' ? 1 + sizeOf(tree.of) : 1
}

/** How long values of stored points hold, ms. Throws notFound (404) for a point the actor may not see. */
const holdsOf = async (db: Db, actor: Actor, ids: readonly number[]) => {
  const rows = await db.rows<{ Id: number; Seen: boolean; HoldMs: number }>(sql`
    select t."Id", (${visible(point, actor)}) as "Seen", 3 * penstock_expected_ms(t) as "HoldMs" from point t where t."Id" = any(${ids}::bigint[])`)
  if (rows.some(({ Seen }) => !Seen)) throw notFound()
  return new Map(rows.map(({ Id, HoldMs }) => [Id, HoldMs]))
}

type Written = { id: number; tree: Tree; named: readonly number[] }
/** Formulas as they can be worked out, from trees that name points and other formulas. */
const workable = async (db: Db, actor: Actor, written: readonly Written[]): Promise<Map<number, Formula>> => {
  const named = [...new Set(written.flatMap((one) => one.named))]
  const inner = new Map((named.length ? await withInner(db, named) : []).map((one) => [one.Id, one]))
  const trees = written.map(({ id, tree }) => ({ id, tree: expanded(tree, inner) }))
  const behind = trees.map(({ tree }) => idsIn(tree))
  const holds = await holdsOf(db, actor, [...new Set(behind.flat())])
  return new Map(
    trees.map(({ id, tree }, i) => {
      const isTooLarge = behind[i]!.length > mostBehind || sizeOf(tree) > mostParts
      const own = behind[i]!.flatMap((of) => (holds.has(of) ? [[of, holds.get(of)!] as const] : []))
      return [id, { id, tree: isTooLarge ? missing : tree, holds: new Map(isTooLarge ? [] : own) }]
    }),
  )
}

/** What these formulas read and work out. 404 where the actor does not see a point behind one. */
export const formulasOf = (db: Db, actor: Actor, rows: readonly FormulaRow[]) =>
  workable(
    db,
    actor,
    rows.map(({ Id, Expression, FormulaIds }) => ({ id: Id, tree: parseFormula(Expression).tree ?? missing, named: FormulaIds })),
  )

type Judged = { flaw: Flaw; named?: undefined } | { flaw?: undefined; named: { tree: Tree; PointIds: number[]; FormulaIds: number[] } }
type Asked = { ProjectId: number; Expression: string; Id?: number | undefined }

/** What an expression names, or what is wrong with it: it may name points of its project that the actor sees, and formulas, but not itself. */
export const judge = async (db: Db, actor: Actor, { ProjectId, Expression, Id }: Asked): Promise<Judged> => {
  const { tree, flaw } = parseFormula(Expression)
  if (!tree) return { flaw: { Key: flaw.key, At: flaw.at, Text: flaw.text } }
  const ids = idsIn(tree)
  const at = (id: number) => Math.max(0, Expression.search(new RegExp(`#0*${id}(?!\\d)`)))
  const wrong = (Key: string, id: number): Judged => ({ flaw: { Key, At: at(id), Text: `#${id}` } })
  if (ids.length > mostNamed) return wrong('tooManyPoints', ids[mostNamed]!)
  const seen = await db.all([
    sql<{ Id: number }>`
      select t."Id" from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
      where t."Id" = any(${ids}::bigint[]) and g."ProjectId" = ${ProjectId} and ${visible(point, actor)}`,
    sql<{
      Id: number
    }>`select t."Id" from formula_point t where t."Id" = any(${ids}::bigint[]) and t."ProjectId" = ${ProjectId} and ${visible(formulaPoint, actor)}`,
  ])
  const [PointIds, FormulaIds] = seen.map((rows) => rows.map((row) => row.Id)) as [number[], number[]]
  const unknown = ids.find((id) => !PointIds.includes(id) && !FormulaIds.includes(id))
  if (unknown !== undefined) return wrong('unknownPoint', unknown)
  const inner = FormulaIds.length ? await withInner(db, FormulaIds) : []
  if (Id !== undefined && inner.some((one) => one.Id === Id)) return wrong('circle', FormulaIds[0]!)
  const full = expanded(tree, new Map(inner.map((one) => [one.Id, one])))
  if (idsIn(full).length > mostBehind || sizeOf(full) > mostParts) return { flaw: { Key: 'tooDeep', At: 0, Text: '' } }
  return { named: { tree, PointIds, FormulaIds } }
}

/** The formula that a person is typing, ready to be worked out. */
export const drafted = async (db: Db, actor: Actor, { tree, FormulaIds }: { tree: Tree; FormulaIds: number[] }): Promise<Formula> =>
  (await workable(db, actor, [{ id: 0, tree, named: FormulaIds }])).get(0)!

export const checkFormula: Check = async (db, actor, given, held) => {
  if (given.Expression === undefined) return given
  const ProjectId = Number(held?.ProjectId ?? given.ProjectId)
  // Without this lock, two concurrent edits could create a cycle.
  await db.rows(sql`select 1 from project where "Id" = ${ProjectId} for no key update`)
  const { flaw, named } = await judge(db, actor, { ProjectId, Expression: String(given.Expression), Id: held?.Id })
  if (flaw) throw new FieldFaults([{ field: 'Expression', rule: `expression.${flaw.Key}`, values: { at: flaw.At + 1, text: flaw.Text } }])
  return { ...given, PointIds: named.PointIds, FormulaIds: named.FormulaIds }
}
