// Baselines of circuits: what a day should take, by degree-days, production and the day of the week.
import { sql } from 'kysely'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { noteDeed } from '../../../../server/identity/note.ts'
import { createStatistics } from '../../../../server/telemetry/meaning/statistics.ts'
import { meaningsOf, visiblePoints } from '../../../analysis/telemetry/server/service.ts'
import { type AskedBaseline, type Baseline, cooling, type Fitted } from '../savings.ts'
import type { Circuit } from './circuits.ts'
import { units } from './figures.ts'
import { type Keys, keysOf, partsOf, spanOf } from './ranges.ts'
import type { Reading } from './reading.ts'
import { type Fit, fit, isEnough } from './regression.ts'
import { usageOf } from './usage.ts'

export type Model = Pick<AskedBaseline, 'ParaId' | 'Kind' | 'Base' | 'ProductInfoId' | 'Weekday'>
/** A day without gaps: its consumption and the variables that it depends on. */
export type KnownDay = { key: number; energy: number; variables: number[] }

/** Degree-days below or above this, °C, unless another is chosen. */
const usualBase = 18
/** Tuesday to Sunday, against Monday. 1 January 1970 was a Thursday. */
const weekdays = [2, 3, 4, 5, 6, 7]
const weekdayOf = (key: number) => ((((key + 3) % 7) + 7) % 7) + 1
export const variablesOf = ({ ParaId, ProductInfoId, Weekday }: Model): string[] => [
  ...(ParaId ? ['degree'] : []),
  ...(ProductInfoId ? ['production'] : []),
  ...(Weekday ? weekdays.map((day) => `weekday.${day}`) : []),
]

const refuse = (field: string, rule: string, values = {}) => new FieldFaults([{ field, rule, values }])

/** Degree-days of days; undefined where the point said nothing. */
const degreesOf = async ({ db, actor, deriving }: Reading, { ParaId, Kind, Base = usualBase }: Model, edges: readonly number[]) => {
  if (!(await visiblePoints(db, actor, [ParaId!])).length) throw refuse('ParaId', 'unknownReference')
  const { meanings } = await meaningsOf(db, actor, [ParaId!])
  const [found] = await createStatistics({ store: deriving.telemetry.aside, clock: () => deriving.now }).of(meanings, { edges: [...edges] })
  return found!.parts.map(({ count, mean }) => (count ? Math.max(0, Kind === cooling ? mean - Base : Base - mean) : undefined))
}

/** Days of a range that are known in full, with their variables, and how many are not. */
export const knownDays = async (
  reading: Reading,
  circuit: Circuit,
  model: Model,
  keys: Keys,
): Promise<{ days: KnownDay[]; leftOut: number }> => {
  const { byId, zone, deriving } = reading
  const product = model.ProductInfoId === undefined ? undefined : byId.get(model.ProductInfoId)
  if (model.ProductInfoId !== undefined && !product?.Seen) throw refuse('ProductInfoId', 'unknownReference')
  const span = spanOf(zone, keys)
  const { edges } = partsOf(zone, span, 'day')
  const usage = await usageOf(reading, [circuit, ...(product ? [product] : [])], span, { edges, priced: false })
  const degrees = model.ParaId === undefined ? undefined : await degreesOf(reading, model, edges)
  const [own, made] = [usage.get(circuit.Id)!, product && usage.get(product.Id)!]
  const days = own.flatMap((sum, i): KnownDay[] => {
    const key = keys.from + i
    const isOver = edges[i + 1]! <= deriving.now
    const isKnown = (of: typeof sum | undefined) => !of || (of.count > 0 && of.known === of.count)
    if (!isOver || !isKnown(sum) || !isKnown(made?.[i]) || (degrees && degrees[i] === undefined)) return []
    const variables = [
      ...(degrees ? [degrees[i]!] : []),
      ...(made ? [units(made[i]!.energy)] : []),
      ...(model.Weekday ? weekdays.map((day) => Number(weekdayOf(key) === day)) : []),
    ]
    return [{ key, energy: units(sum.energy), variables }]
  })
  return { days, leftOut: own.length - days.length }
}

const modelOf = ({ ParaId, Kind, Base, ProductInfoId, Weekday }: AskedBaseline): Model => ({
  ...(ParaId === undefined ? {} : { ParaId, Kind: Kind ?? 1, Base: Base ?? usualBase }),
  ...(ProductInfoId === undefined ? {} : { ProductInfoId }),
  ...(Weekday ? { Weekday } : {}),
})

const fitFor = async (reading: Reading, asked: AskedBaseline) => {
  const model = modelOf(asked)
  const names = variablesOf(model)
  const { days } = await knownDays(reading, reading.byId.get(asked.EnergyInfoId)!, model, keysOf(asked))
  if (!isEnough(days.length, names.length)) throw refuse('DateTo', 'energy.fewDays', { days: days.length })
  // A weekday that never was has no coefficient.
  const found = fit(
    days.map(({ variables }) => variables),
    days.map(({ energy }) => energy),
  )
  if (!found) throw refuse(asked.ParaId === undefined ? 'ProductInfoId' : 'ParaId', 'energy.sameVariables')
  return { model, names, found }
}

const fittedOf = ({ DateFrom, DateTo }: Pick<Fitted, 'DateFrom' | 'DateTo'>, model: Model, found: Fit): Fitted => ({
  ...{ DateFrom, DateTo, Days: found.days, Constant: found.coefficients[0]!, R2: found.r2, Cv: found.cv },
  Variables: variablesOf(model).map((Name, i) => ({
    ...{ Name, Coefficient: found.coefficients[i + 1]!, Min: found.ranges[i]!.min, Max: found.ranges[i]!.max },
  })),
})
export const previewBaseline = async (reading: Reading, asked: AskedBaseline): Promise<Fitted> => {
  const { model, found } = await fitFor(reading, asked)
  return fittedOf(asked, model, found)
}

export type Stored = Pick<Fitted, 'DateFrom' | 'DateTo'> & {
  Version: number
  Model: Model
  Fit: Fit
  AcceptedBy: string | null
  Time: number
}
export const storedBaselines = ({ db }: Pick<Reading, 'db'>, circuit: number): Promise<Stored[]> =>
  db.rows<Stored>(sql`
    select "Version", "DateFrom", "DateTo", "Model", "Fit", "AcceptedBy", (extract(epoch from "CreateTime") * 1000)::float8 as "Time"
    from energy_baseline where "EnergyInfoId" = ${circuit} order by "Version" desc limit 100`)
export const shownBaseline = ({ Version, AcceptedBy, Time, Model, Fit, ...days }: Stored): Baseline => ({
  ...fittedOf(days, Model, Fit),
  ...{ Version, AcceptedBy, AcceptedTime: Time },
})

export const acceptBaseline = async (reading: Reading, asked: AskedBaseline): Promise<Baseline> => {
  const { actor, enterprise, deriving } = reading
  const { model, found } = await fitFor(reading, asked)
  const { EnergyInfoId, DateFrom, DateTo } = asked
  return reading.db.tx(async (db) => {
    await db.rows(sql`select 1 from energy_info where "Id" = ${EnergyInfoId} for no key update`)
    const [row] = await db.rows<{ Id: number; Version: number }>(sql`
      insert into energy_baseline ("EnterpriseId", "EnergyInfoId", "Version", "DateFrom", "DateTo", "Model", "Fit", "AcceptedBy", "CreateTime")
      select ${enterprise}, ${EnergyInfoId}, coalesce(max("Version"), 0) + 1, ${DateFrom}, ${DateTo}, ${JSON.stringify(model)}::jsonb, ${JSON.stringify(found)}::jsonb,
        (select "UserName" from "user" where "Id" = ${actor.UserId}), ${new Date(deriving.now)}
      from energy_baseline where "EnergyInfoId" = ${EnergyInfoId} returning "Id", "Version"`)
    const { Id, Version } = row!
    await noteDeed(
      db,
      { ...actor, EnterpriseId: enterprise },
      { Resource: 'energyBaseline', RecordId: Id, Verb: 'create' },
      { EnergyInfoId, Version, ...fittedOf(asked, model, found) },
    )
    return shownBaseline((await storedBaselines({ db }, EnergyInfoId))[0]!)
  }, `energyInfo ${EnergyInfoId}`)
}
