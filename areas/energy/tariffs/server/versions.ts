import { dayNumber } from '../../../../contract/days.ts'
import { dayTables, millionths } from '../dayTables.ts'
import type { Charge, Season, Tax, Tier } from '../prices.ts'
import type { PriceVersion } from './timeline.ts'

/** A tariff as it is stored and as the wire has it: amounts are numbers of the currency. */
export type TariffRow = {
  Id: number
  ValidFrom: string
  ValidTo: string | null
  TariffType: number
  BasePrice: number | null
  Seasons: readonly Season[] | null
  Tiers: readonly Tier[] | null
  TierPeriod: number | null
  DemandType: number
  DemandPrice: number | null
  DemandMinutes: number | null
  DemandKva: number | null
  PfStandard: number | null
  Charges: readonly Charge[] | null
  Taxes: readonly Tax[] | null
}

/** Six decimals, as prices have; amounts are billionths. */
const billionths = (amount: number) => millionths(amount) * 1000n
const thousandths = (count: number) => BigInt(Math.round(count * 1e3))

export const versionOf = (row: TariffRow): PriceVersion => ({
  id: row.Id,
  from: dayNumber(row.ValidFrom),
  to: row.ValidTo ? dayNumber(row.ValidTo) : Number.POSITIVE_INFINITY,
  type: row.TariffType,
  tables: dayTables(row.TariffType, millionths(row.BasePrice ?? 0), row.Seasons ?? []),
  tiers: (row.Tiers ?? []).map(({ UpTo, Price }) => ({ upTo: UpTo === null ? null : thousandths(UpTo), price: millionths(Price) })),
  tierPeriod: row.TierPeriod ?? 1,
  demand: {
    type: row.DemandType,
    price: billionths(row.DemandPrice ?? 0),
    minutes: row.DemandMinutes ?? 15,
    kva: thousandths(row.DemandKva ?? 0),
  },
  pfStandard: row.PfStandard,
  charges: row.Charges ?? [],
  taxes: row.Taxes ?? [],
})

/** Versions in order of time; each ends on its own last day, or before the next one begins. */
export const versionsOf = (rows: readonly TariffRow[]): PriceVersion[] => {
  const inOrder = rows.map(versionOf).sort((a, b) => a.from - b.from)
  return inOrder.map((version, i) => ({ ...version, to: Math.min(version.to, (inOrder[i + 1]?.from ?? Number.POSITIVE_INFINITY) - 1) }))
}

/**
 * A circuit may change its tariff: from some days on it has another one. Each tariff holds until the next begins, within its own days.
 */
export const versionsOver = (tariffs: readonly { from: number; versions: readonly PriceVersion[] }[]): PriceVersion[] => {
  const inOrder = tariffs.toSorted((a, b) => a.from - b.from)
  return inOrder.flatMap(({ from, versions }, i) => {
    const until = (inOrder[i + 1]?.from ?? Number.POSITIVE_INFINITY) - 1
    return versions.flatMap((version) => {
      const within = { ...version, from: Math.max(version.from, from), to: Math.min(version.to, until) }
      return within.from <= within.to ? [within] : []
    })
  })
}
