import { Type } from 'typebox'
import { choice, json, long, money, number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'
import { Charge, mostPrice, Season, Tax, Tier } from './prices.ts'

/** Sees and edits prices. */
export const seesPrices = 'm10707.price'
const day = '^\\d{4}-\\d{2}-\\d{2}$'
const priced = { seenWith: seesPrices, section: 'prices' } as const
const demand = { seenWith: seesPrices, section: 'demand' } as const

/**
 * Prices of energy from a day on. Later prices of the same tariff are versions of the first: a circuit names one of them, and each day has
 * the prices of the version that holds on it.
 */
export const electricityPriceStandard = resource('electricityPriceStandard', {
  path: '/Energy/ElectricityPriceStandard',
  permission: 'm10707',
  title: 'StandardName',
  order: 'StandardName',
  most: { of: 'VersionOfId', records: 200 },
  wire: { find: ['GET ', 'GET /Detail', 'POST /Detail'] },
  fields: {
    StandardName: text({ required: true, unique: true, max: 60, search: true }),
    /** 1 electricity, 2 water, 3 gas, 4 steam, 5 heat, 6 cold, 7 coal, 8 oil, 9 compressed air. */
    EnergyType: choice([1, 2, 3, 4, 5, 6, 7, 8, 9], { required: true, default: 1, search: true }),
    /** The tariff of which it is a later version. */
    VersionOfId: ref('electricityPriceStandard', { set: 'create', as: 'VersionOfName' }),
    ValidFrom: text({ required: true, max: 10, pattern: day }),
    /** The last day; none: until the next version. */
    ValidTo: text({ max: 10, pattern: day }),
    RegionId: ref('region'),
    VoltageLevel: text({ max: 40, search: true }),
    UserType: text({ max: 40, search: true }),
    TariffType: choice([1, 2, 3], { required: true, default: 1, search: true }),
    BasePrice: money({ ...priced, max: mostPrice }),
    Seasons: json({ ...priced, schema: Type.Array(Season, { maxItems: 36 }) }),
    Tiers: json({ ...priced, schema: Type.Array(Tier, { maxItems: 20 }) }),
    /** Tiers restart every 1 month, 2 year. */
    TierPeriod: choice([1, 2], { ...priced, default: 1 }),
    /** 0 none, 1 by kVA of the contract, 2 by the highest mean power of a month. */
    DemandType: choice([0, 1, 2], { required: true, default: 0, section: 'demand' }),
    DemandPrice: money({ ...demand, max: mostPrice }),
    DemandKva: number({ ...demand, min: 0, max: 1e7 }),
    DemandMinutes: choice([15, 30], { ...demand, default: 15 }),
    PfStandard: choice([0.9, 0.85, 0.8], { ...demand }),
    Charges: json({ ...priced, schema: Type.Array(Charge, { maxItems: 40 }) }),
    Taxes: json({ ...priced, schema: Type.Array(Tax, { maxItems: 10 }) }),
    Remark: long(),
  },
})

/** A circuit changes its tariff on a day. Until the first of these it has the one that it names itself. */
export const energyTariff = resource('energyTariff', {
  path: '/Energy/ElectricityPriceStandard/Circuit',
  most: { of: 'EnergyInfoId', records: 100 },
  permission: 'm10707',
  title: 'EnergyInfoId',
  owner: 'EnergyInfoId',
  order: '-ValidFrom',
  wire: { find: [] },
  differs: {
    lists: 'It has no name of its own to search for.',
    projects: 'Prices are of the whole company: who sees a part of it is refused (403) before the row is looked up.',
  },
  fields: {
    EnergyInfoId: ref('energyInfo', { required: true, set: 'create', search: true, as: 'EnergyName' }),
    PriceStandardId: ref('electricityPriceStandard', { required: true, search: true, as: 'PriceStandardName' }),
    ValidFrom: text({ required: true, max: 10, pattern: day, unique: 'EnergyInfoId' }),
  },
})
