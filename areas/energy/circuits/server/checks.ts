// What screens ask while people type.
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { store } from '../../../../server/resource/store.ts'
import { type EnergyType, energyCode, energyInfo, unitsOfTypes } from '../contract.ts'
import { judgeFormula } from './formulas.ts'

const circuits = store(energyInfo)
const shape = new RegExp(energyCode)
const longestCode = 30

const valid = { Valid: true, Errors: [], Places: [] }
const wrong = (text: string, place = 0) => ({ Valid: false, Errors: [text], Places: [place] })

export const checkCode = async (db: Db, actor: Actor, { EnergyCode, Id }: { EnergyCode: string; Id?: number }, language: Language) => {
  const own = Id === undefined ? undefined : await circuits.find(db, actor, Id)
  if (EnergyCode.length > longestCode || !shape.test(EnergyCode)) return wrong(word(language, 'circuit.codeShape'))
  const taken = await db.rows(sql`
    select 1 from energy_info where "EnterpriseId" = ${own?.EnterpriseId ?? actor.EnterpriseId} and "EnergyCode" = ${EnergyCode} and "Id" <> ${Id ?? 0}`)
  return taken.length ? wrong(word(language, 'circuit.codeTaken')) : valid
}

type Formula = { Formula: string; Id?: number; EnergyType?: number; Unit?: string | null }
export const checkFormula = async (db: Db, actor: Actor, { Formula, Id, EnergyType, Unit }: Formula, language: Language) => {
  const own = Id === undefined ? undefined : await circuits.find(db, actor, Id)
  const type = (EnergyType ?? own?.EnergyType ?? 1) as EnergyType
  const unit = Unit?.trim() || (EnergyType === undefined && own?.Unit) || unitsOfTypes[type]
  const { flaw } = await judgeFormula(db, actor, { formula: Formula, unit, enterprise: own?.EnterpriseId ?? actor.EnterpriseId, id: Id })
  if (!flaw) return valid
  const { key, at, text, unit: found = '', expected = '' } = flaw
  return wrong(word(language, `expression.${key}`, { at: at + 1, text, unit: found, expected }), at)
}

/** Letters of codes at the top, by kind. */
const letters = ['E', 'W', 'G', 'S', 'H', 'C', 'K', 'O', 'A']
/** The next free code: below E01 it is E01.01, at the top E02. */
export const nextCode = async (db: Db, actor: Actor, { ParentId, EnergyType = 1 }: { ParentId?: number; EnergyType?: number }) => {
  const above = ParentId === undefined ? undefined : await circuits.find(db, actor, ParentId)
  const prefix = above ? `${above.EnergyCode}.` : letters[EnergyType - 1]!
  return (await freeCodes(db, above?.EnterpriseId ?? actor.EnterpriseId, prefix, 1))[0]!
}

/** Free codes, in order. A prefix that leaves no room for a number is cut. */
export const freeCodes = async (db: Db, enterprise: number, prefix: string, count: number): Promise<string[]> => {
  const start = prefix.slice(0, longestCode - 4)
  const rows = await db.rows<{ EnergyCode: string }>(
    sql`select "EnergyCode" from energy_info where "EnterpriseId" = ${enterprise} and starts_with("EnergyCode", ${start})`,
  )
  const taken = new Set(rows.map(({ EnergyCode }) => EnergyCode))
  const free: string[] = []
  for (let n = 1; free.length < count; n++) {
    const code = `${start}${String(n).padStart(2, '0')}`
    if (!taken.has(code)) free.push(code)
  }
  return free
}
