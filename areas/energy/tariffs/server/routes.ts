import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { isDay } from '../../../../contract/days.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import { crud } from '../../../../server/resource/crud.ts'
import type { Check } from '../../../../server/resource/store.ts'
import { electricityPriceStandard, energyTariff, seesPrices } from '../contract.ts'
import { faultsOf, type Prices } from '../prices.ts'

type Version = { Id: number; EnterpriseId: number; StandardName: string; ValidFrom: string; ValidTo: string | null; EnergyType: number }

/** All versions of the tariff that a version belongs to, locked: two people may not both add the same day. */
const lockVersions = async (db: Db, id: number) => {
  const [first] = await db.rows<{ Id: number }>(
    sql`select coalesce("VersionOfId", "Id") as "Id" from electricity_price_standard where "Id" = ${id}`,
  )
  if (!first) throw new FieldFaults([{ field: 'VersionOfId', rule: 'unknownReference' }])
  const versions = await db.rows<Version>(sql`
    select "Id", "EnterpriseId", "StandardName", "ValidFrom", "ValidTo", "EnergyType" from electricity_price_standard
    where "Id" = ${first.Id} or "VersionOfId" = ${first.Id} order by "Id" for update`)
  return { first: first.Id, versions }
}

/** A version without a last day ends before the next one; one with a last day must end by itself. */
const assertApart = (of: Pick<Version, 'Id' | 'ValidFrom' | 'ValidTo'>, versions: readonly Version[]) => {
  for (const other of versions) {
    if (other.Id === of.Id) continue
    const [earlier, later] = of.ValidFrom < other.ValidFrom ? [of, other] : [other, of]
    if (earlier.ValidFrom !== later.ValidFrom && !(earlier.ValidTo && earlier.ValidTo >= later.ValidFrom)) continue
    throw new FieldFaults([
      { field: 'ValidFrom', rule: 'tariff.versionsOverlap', values: { name: other.StandardName, from: other.ValidFrom } },
    ])
  }
}

/** Validates the whole tariff as it would be after the change. */
export const tariffCheck: Check = async (db, actor, given, held) => {
  if (!actor.may.has(seesPrices)) throw new Fault('forbidden', { permission: seesPrices })
  const whole = { ...held, ...given }
  const faults = faultsOf(whole as Prices)
  if (faults.length) throw new FieldFaults(faults)
  const versionOf = whole.VersionOfId ?? held?.Id
  if (typeof versionOf !== 'number') return given
  const { first, versions } = await lockVersions(db, versionOf)
  const { Id = 0, ValidFrom = '', ValidTo = null } = whole as Partial<Version>
  assertApart({ Id, ValidFrom, ValidTo }, versions)
  const isOther = versions.some((other) => other.Id !== Id && other.EnergyType !== (whole.EnergyType ?? 1))
  if (isOther) throw new FieldFaults([{ field: 'EnergyType', rule: 'tariff.otherEnergy' }])
  return held ? given : { ...given, VersionOfId: first }
}

/** A circuit and its tariff are of the same kind of energy. */
const changeCheck: Check = async (db, _actor, given, held) => {
  if (typeof given.ValidFrom === 'string' && !isDay(given.ValidFrom)) throw new FieldFaults([{ field: 'ValidFrom', rule: 'noSuchDay' }])
  const { EnergyInfoId, PriceStandardId } = { ...held, ...given }
  const other = await db.rows(sql`
    select 1 from energy_info e, electricity_price_standard s
    where e."Id" = ${EnergyInfoId} and s."Id" = ${PriceStandardId} and e."EnergyType" <> s."EnergyType"`)
  if (other.length) throw new FieldFaults([{ field: 'PriceStandardId', rule: 'tariff.otherKind' }])
  return given
}

export const tariffRoutes = (app: FastifyInstance) => {
  crud(app, electricityPriceStandard, { check: tariffCheck })
  crud(app, energyTariff, { check: changeCheck })
}
