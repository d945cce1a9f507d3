// Formulas are stored with the Ids of their circuits, `[#12]-[#15]`: a new code changes no formula, and nobody reads a code that he does
// not see.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { hiddenFields, visible } from '../../../../server/resource/sql.ts'
import { energyInfo, fromFormula, longestFormula } from '../contract.ts'
import { type FormulaFlaw, type Node, parseFormula, placesOf, storedCode, unitFlaw } from '../formula.ts'

const stored = /\[#(\d+)\]/g
/** Circuits out of sight in a formula that somebody reads. */
const unseen = '[?]'
export const inCodes = (formula: string, codes: ReadonlyMap<number, string>) =>
  formula.replace(stored, (_, id: string) => (codes.has(Number(id)) ? `[${codes.get(Number(id))}]` : unseen))

/** Codes of the circuits that the actor sees. */
export const codesOf = async (db: Db, actor: Actor, ids: readonly number[]): Promise<Map<number, string>> => {
  if (!ids.length || hiddenFields(energyInfo, actor)?.has('EnergyCode')) return new Map()
  const rows = await db.rows<{ Id: number; EnergyCode: string }>(
    sql`select "Id", "EnergyCode" from energy_info t where "Id" = any(${[...new Set(ids)]}::bigint[]) and ${visible(energyInfo, actor)}`,
  )
  return new Map(rows.map(({ Id, EnergyCode }) => [Id, EnergyCode]))
}

/** `hold`: the circuits stay until the transaction ends. */
type Asked = { formula: string; unit: string; enterprise: number; id?: number | undefined; hold?: true }
type Judged = { flaw: FormulaFlaw; text?: undefined } | { flaw?: undefined; text: string; ids: number[] }

/** This circuit and all circuits whose formulas depend on it, directly or indirectly. Visits each formula once. */
const leadingTo = async (db: Db, enterprise: number, id: number) => {
  const rows = await db.rows<{ Id: number; FormulaIds: number[] }>(
    sql`select "Id", "FormulaIds" from energy_info where "EnterpriseId" = ${enterprise} and "Source" = ${fromFormula}`,
  )
  const users = new Map<number, number[]>()
  for (const { Id, FormulaIds } of rows)
    for (const operand of FormulaIds) {
      const of = users.get(operand) ?? []
      users.set(operand, of)
      of.push(Id)
    }
  const found = new Set([id])
  for (const one of found) for (const user of users.get(one) ?? []) found.add(user)
  return found
}

/** Reads a formula as somebody writes it: what is wrong with it, or how it is stored. */
export const judgeFormula = async (db: Db, actor: Actor, { formula, unit, enterprise, id, hold }: Asked): Promise<Judged> => {
  const { node, codes, flaw } = parseFormula(formula)
  if (!node) return { flaw }
  const rows = await db.rows<{ Id: number; EnergyCode: string; Unit: string }>(sql`
    select "Id", "EnergyCode", "Unit" from energy_info t
    where "EnergyCode" = any(${codes}::text[]) and "EnterpriseId" = ${enterprise} and ${visible(energyInfo, actor)} ${hold ? sql`for key share of t` : sql``}`)
  const known = new Map(rows.map((row) => [row.EnergyCode, row]))
  const places = placesOf(node)
  const wrong = (key: string, code: string): Judged => ({ flaw: { key, at: places.get(code)!, text: code } })
  const unknown = codes.find((code) => !known.has(code))
  if (unknown !== undefined) return wrong('unknownCode', unknown)
  const otherUnit = unitFlaw(node, (code) => known.get(code)!.Unit, unit)
  if (otherUnit) return { flaw: otherUnit }
  const ids = codes.map((code) => known.get(code)!.Id)
  if (id !== undefined) {
    const leading = await leadingTo(db, enterprise, id)
    const circle = codes.find((code) => leading.has(known.get(code)!.Id))
    if (circle !== undefined) return wrong('circle', circle)
  }
  const text = storedText(formula, new Map(rows.map((row) => [row.EnergyCode, row.Id])))
  // Stored with Ids it must be short enough to be read again.
  if (text.length > longestFormula) return { flaw: { key: 'tooLong', at: longestFormula, text: '' } }
  return { text, ids }
}
const storedText = (formula: string, ids: ReadonlyMap<string, number>) =>
  formula.trim().replace(/\[([^[\]]*)\]/g, (_, code: string) => `[#${ids.get(code.trim())}]`)

/** A stored formula, ready to be compiled; its codes are `#12`. */
export const readStored = (formula: string): Node | undefined => parseFormula(formula, storedCode).node

export const refusedFormula = ({ key, at, text, unit = '', expected = '' }: FormulaFlaw) =>
  new FieldFaults([{ field: 'Formula', rule: `expression.${key}`, values: { at: at + 1, text, unit, expected } }])

/** Serializes formula changes within a company: two concurrent changes could create a cycle that neither transaction sees. */
export const lockFormulas = (db: Db, enterprise: number) =>
  db.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`energy formulas ${enterprise}`}, 0))`)
