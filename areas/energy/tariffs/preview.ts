// What a change of prices does to months that are open. Closed months keep theirs.
import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { Id, valueSchema } from '../../../contract/resource.ts'
import { electricityPriceStandard, seesPrices } from './contract.ts'

const { fields } = electricityPriceStandard
const given = (name: keyof typeof fields) => Type.Optional(valueSchema(fields[name]))
const Amount = Type.Union([Type.Number(), Type.Null()])

export const PriceChange = Type.Object({
  /** The version that changes, or the tariff that gets another one. */
  Id: Type.Optional(Id),
  VersionOfId: Type.Optional(Id),
  ...{ ValidFrom: given('ValidFrom'), ValidTo: given('ValidTo'), TariffType: given('TariffType'), BasePrice: given('BasePrice') },
  ...{ Seasons: given('Seasons'), Tiers: given('Tiers'), TierPeriod: given('TierPeriod') },
  ...{ DemandType: given('DemandType'), DemandPrice: given('DemandPrice'), DemandKva: given('DemandKva') },
  ...{ DemandMinutes: given('DemandMinutes'), PfStandard: given('PfStandard'), Charges: given('Charges'), Taxes: given('Taxes') },
})
export type PriceChange = Static<typeof PriceChange>

export const priceCalls = {
  preview: call({
    ...{ method: 'POST', path: `${electricityPriceStandard.path}/Preview`, permission: seesPrices, reads: true },
    body: PriceChange,
    answer: Type.Object({
      Currency: Type.Union([Type.String(), Type.Null()]),
      /** Open months of circuits that it changes, with demand, charges and taxes, before and after. */
      Items: Type.Array(
        Type.Object({
          ...{ EnergyInfoId: Id, EnergyName: Type.String(), EnergyCode: Type.String(), Month: Type.String() },
          ...{ Before: Amount, After: Amount },
        }),
      ),
    }),
  }),
}
