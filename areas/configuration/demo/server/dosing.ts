// The demo company's chemicals: volumes counted by dosing pumps, bulk tanks filled by a tanker, and a polymer with manual entries.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { store } from '../../../../server/resource/store.ts'
import { drugInfo } from '../../../dosing/chemicals/contract.ts'
import { type Measuring, pastRises, writePastStock } from '../../../dosing/consumption/server/service.ts'
import type { Company } from './maintenance/company.ts'
import { say } from './maintenance/words.ts'

const day = 86_400_000
/** Days with polymer entries. */
const enteredDays = 120

type Chemical = { fields: Record<string, unknown>; points: Record<string, string>; price: number; strength: number | null }
const chemicals = (language: Company['language']): readonly Chemical[] => [
  {
    fields: {
      ...{ DrugName: say('Sodium hypochlorite', '次氯酸钠', 'Hipoclorito sódico', '次亜塩素酸ナトリウム')[language] },
      ...{ DrugCode: 'DI01', DrugType: 3, Unit: 'L', Density: 1.2, Concentration: 12.5, Source: 1, Supplier: 'Química Norte' },
      ...{ TankSize: 1200, LeadDays: 4, MinStock: 150, TargetDose: 7.2, DoseLow: 5, DoseHigh: 10, Price: 0.58 },
    },
    points: {
      ...{ ParaId: 'Chlorine dosing/Hypochlorite total', WaterParaId: 'Clear water tank/Clear water total' },
      ...{ TankParaId: 'Chemical store/Hypochlorite store level', FlowParaId: 'Clear water tank/Clear water inflow' },
      ResidualParaId: 'Chlorine dosing/Free chlorine',
    },
    ...{ price: 0.58, strength: 12.5 },
  },
  {
    fields: {
      ...{ DrugName: say('Polyaluminium chloride', '聚合氯化铝', 'Policloruro de aluminio', 'ポリ塩化アルミニウム')[language] },
      ...{ DrugCode: 'CO01', DrugType: 1, Unit: 'L', Density: 1.2, Concentration: 10, Source: 1, Supplier: 'Química Norte' },
      ...{ TankSize: 6000, LeadDays: 5, MinStock: 600, TargetDose: 38, DoseLow: 25, DoseHigh: 55, Price: 0.33 },
    },
    points: {
      ...{ ParaId: 'Settling basin/Coagulant total', WaterParaId: 'Raw water intake/Raw water total' },
      ...{ TankParaId: 'Chemical store/Coagulant store level', FlowParaId: 'Raw water intake/Raw water flow' },
      TurbidityParaId: 'Raw water intake/Raw water turbidity',
    },
    ...{ price: 0.33, strength: 10 },
  },
  {
    fields: {
      ...{ DrugName: say('Polymer, by hand', '絮凝剂（人工投加）', 'Polímero, a mano', '高分子凝集剤（手投入）')[language] },
      ...{ DrugCode: 'FL01', DrugType: 2, Unit: 'kg', Source: 2, Supplier: 'Dosaqua', LeadDays: 7, MinStock: 10, Price: 3.4 },
      ...{ TargetDose: 0.3, DoseLow: 0.1, DoseHigh: 0.6 },
    },
    points: { WaterParaId: 'Raw water intake/Raw water total' },
    ...{ price: 3.4, strength: null },
  },
]
/** Polymer used on a day: more after rain, less on Sundays. */
const polymerOf = (key: number) => Math.round((1.7 + 0.4 * Math.sin(key / 5) + (key % 7 === 3 ? -0.5 : 0)) * 10) / 10

/** Enters the polymer, day by day. Returns its deliveries: one pallet a month. */
const enterPolymer = async (db: Db, { EnterpriseId, now }: Company, id: number) => {
  const first = Math.floor(now / day) - enteredDays
  const keys = Array.from({ length: enteredDays }, (_, i) => first + i)
  await db.rows(sql`
    insert into drug_info_data ("EnterpriseId", "DrugInfoId", "DataTime", "CycleType", "Value")
    select ${EnterpriseId}, ${id}, (date '1970-01-01' + d.key)::timestamp at time zone e."TimeZoneKey", 2, d.value
    from unnest(${keys}::int[], ${keys.map(polymerOf)}::numeric[]) d (key, value) join enterprise e on e."Id" = ${EnterpriseId}`)
  return Array.from({ length: enteredDays / 30 }, (_, i) => ({ at: (first + 30 * i) * day + 9 * 3_600_000, qty: 60, left: i ? 0 : 18 }))
}

/** Creates chemicals with their past stock. Skips companies that have chemicals. */
export const seedDosing = async (db: Db, c: Company, telemetry: Measuring['telemetry']) => {
  const { EnterpriseId, ProjectId, points, language, keeper, since, now } = c
  const actor = serverActor(EnterpriseId)
  const own = await db.rows(sql`select 1 from drug_info where "EnterpriseId" = ${EnterpriseId} limit 1`)
  if (own.length) return
  const measuring = { telemetry, now }
  for (const [Sort, { fields, points: named, price, strength }] of chemicals(language).entries()) {
    const ids = Object.fromEntries(Object.entries(named).map(([field, point]) => [field, points.get(point) ?? null]))
    if (Object.values(ids).includes(null)) continue
    const { Id } = await store(drugInfo).create(db, actor, { ...fields, ...ids, ProjectId, Sort })
    const came = ids.TankParaId ? await pastRises(db, measuring, Id, since) : await enterPolymer(db, c, Id)
    await writePastStock(db, measuring, {
      ...{ id: Id, UserId: keeper, came },
      // Prices and strengths vary slightly between loads.
      papers: (at, i) => ({
        BatchNo: `${fields.DrugCode}-${new Date(at).toISOString().slice(2, 10).replaceAll('-', '')}`,
        Price: Math.round(price * (1 + 0.03 * Math.sin(i)) * 1000) / 1000,
        Concentration: strength === null ? null : Math.round((strength + 0.4 * Math.cos(i)) * 10) / 10,
        SupplierName: String(fields.Supplier),
      }),
    })
  }
}
