// The demo company's energy: circuits on the meters of its plant, the products of the water works, and its tariff.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { store } from '../../../../server/resource/store.ts'
import { circuits } from '../../../energy/circuits/server/service.ts'
import { electricityPriceStandard } from '../../../energy/tariffs/contract.ts'
import type { Company } from './maintenance/company.ts'
import { say, type Words } from './maintenance/words.ts'

type Circuit = {
  code: string
  name: Words
  /** Code of the parent circuit. */
  parent?: string
  /** `device/point` of a counter. */
  meter?: string
  formula?: string
  /** Code of the product. */
  product?: string
  kind?: 1 | 2
  area?: number
}
const metered = (device: string) => `${device} power meter/Active energy`
const rows: readonly Circuit[] = [
  { code: 'W2', name: say('Raw water', '原水', 'Agua bruta', '原水'), kind: 2, meter: 'Raw water intake/Raw water total' },
  {
    ...{ code: 'W1', name: say('Treated water', '净水', 'Agua tratada', '浄水'), kind: 2, parent: 'W2' },
    meter: 'Clear water tank/Clear water total',
  },
  {
    ...{ code: 'E1', name: say('Site', '全厂', 'Planta', '構内全体') },
    ...{ meter: 'Main incomer meter/Active energy', product: 'W1' },
  },
  { code: 'E11', name: say('Intake', '取水', 'Captación', '取水'), parent: 'E1', meter: metered('Intake'), product: 'W2' },
  { code: 'E12', name: say('Delivery board', '送水配电盘', 'Cuadro de impulsión', '送水盤'), parent: 'E1', meter: metered('Delivery') },
  {
    code: 'E121',
    name: say('UV and dosing', '紫外消毒与投加', 'UV y dosificación', 'UV・薬注'),
    parent: 'E12',
    meter: metered('Treatment'),
  },
  { code: 'E122', name: say('Cold store', '冷库', 'Cámara frigorífica', '冷蔵庫'), parent: 'E12', meter: metered('Cold store'), area: 24 },
  {
    ...{ code: 'E123', name: say('High service pumps', '送水泵', 'Bombas de impulsión', '送水ポンプ'), parent: 'E12' },
    ...{ formula: '[E12]-[E121]-[E122]', product: 'W1' },
  },
  { code: 'E13', name: say('Building', '办公楼', 'Edificio', '管理棟'), parent: 'E1', meter: metered('Building'), area: 640 },
]

const period = (Start: string, End: string, Level: number, Price: number) => ({ Start, End, Level, Price })
const nights = period('00:00', '08:00', 4, 0.098)
const year = Array.from({ length: 12 }, (_, i) => i + 1)
/** Spanish tariff: three periods on workdays, one on weekends and holidays; a demand charge, a power factor charge, two taxes. */
const tariff = (language: Company['language']) => ({
  StandardName: say('Three periods, 6.1 kV', '三时段，6.1 kV', 'Tres periodos, 6,1 kV', '3 時間帯・6.1 kV')[language],
  ...{ EnergyType: 1, ValidFrom: '2024-01-01', TariffType: 2 },
  Seasons: [
    {
      ...{ Months: year, Days: 1 },
      Periods: [
        nights,
        period('08:00', '10:00', 3, 0.142),
        period('10:00', '14:00', 2, 0.196),
        period('14:00', '18:00', 3, 0.142),
        period('18:00', '22:00', 2, 0.196),
        period('22:00', '24:00', 3, 0.142),
      ],
    },
    { Months: year, Days: 2, Periods: [period('00:00', '24:00', 4, 0.098)] },
  ],
  ...{ DemandType: 2, DemandPrice: 3.1, DemandMinutes: 15, PfStandard: 0.9 },
  Charges: [{ Name: say('Meter rental', '电表租金', 'Alquiler del contador', '計器賃料')[language], Amount: 27.5, Per: 1 }],
  Taxes: [
    { Name: say('Electricity tax', '电力税', 'Impuesto sobre la electricidad', '電気税')[language], Percent: 5.11 },
    { Name: say('VAT', '增值税', 'IVA', '付加価値税')[language], Percent: 21, OnTaxes: 1 },
  ],
})

/** Creates circuits for the existing meters. Skips companies that already have circuits. */
export const seedEnergy = async (db: Db, { EnterpriseId, ProjectId, points, language }: Company) => {
  const actor = serverActor(EnterpriseId)
  const [own] = await db.rows(sql`select 1 from energy_info where "EnterpriseId" = ${EnterpriseId} limit 1`)
  if (own) return
  const { Id: PriceStandardId } = await store(electricityPriceStandard).create(db, actor, tariff(language))
  const ids = new Map<string, number>()
  for (const [Sort, { code, name, parent, meter, formula, product, kind = 1, area }] of rows.entries()) {
    const ParaId = meter && points.get(meter)
    if (!ParaId && !formula) continue
    if (formula && [...formula.matchAll(/\[(\w+)\]/g)].some(([, of]) => !ids.has(of!))) continue
    const { Id } = (await circuits.create(db, actor, {
      ...{ ProjectId, EnergyCode: code, EnergyName: name[language], EnergyType: kind, Sort, AreaM2: area ?? null },
      ...{ ParentId: (parent && ids.get(parent)) ?? null, ProductInfoId: (product && ids.get(product)) ?? null },
      ...(formula ? { Source: 3, Formula: formula } : { Source: 1, ParaId }),
      ...(kind === 1 && { PriceStandardId }),
    })) as { Id: number }
    ids.set(code, Id)
  }
}
