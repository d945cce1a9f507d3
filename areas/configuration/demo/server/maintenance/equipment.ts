// The demo company's equipment tree, with label numbers.
import { sql } from 'kysely'
import type { Db } from '../../../../../server/database/db.ts'
import type { Actor } from '../../../../../server/identity/actor.ts'
import { store } from '../../../../../server/resource/store.ts'
import { mtnEquipment } from '../../../../maintenance/equipment/contract.ts'
import type { Company } from './company.ts'
import { say, type Words } from './words.ts'

type Machine = { name: Words; no: string; maker?: string; model?: string; criticality?: 1 | 2 | 3 }
type Area = { name: Words; no: string; devices: readonly (readonly [device: string, no: string, machines: readonly Machine[]])[] }
const pump = (n: number, no: string, model: string): Machine => ({
  ...{ name: say(`Pump ${n}`, `${n} 号泵`, `Bomba ${n}`, `ポンプ ${n}`), no, maker: 'Hidrobombas', model, criticality: 3 },
})
const filter = (n: number): Machine => ({ name: say(`Filter ${n}`, `${n} 号滤池`, `Filtro ${n}`, `ろ過池 ${n}`), no: `FI-30${n}` })
const plain = (name: Words, no: string, maker?: string, model?: string): Machine => ({
  name,
  no,
  ...(maker && { maker }),
  ...(model && { model }),
})

const areas: readonly Area[] = [
  {
    ...{ name: say('Intake', '取水', 'Captación', '取水'), no: 'A-1' },
    devices: [
      [
        'Raw water intake',
        'IN-100',
        [pump(1, 'P-101', 'HB 250-315'), pump(2, 'P-102', 'HB 250-315'), plain(say('Bar screen', '格栅', 'Reja', 'スクリーン'), 'SC-103')],
      ],
      ['Intake power meter', 'EM-110', []],
    ],
  },
  {
    ...{ name: say('Treatment', '净水', 'Tratamiento', '浄水'), no: 'A-2' },
    devices: [
      [
        'Settling basin',
        'SB-200',
        [
          plain(say('Mixer', '搅拌机', 'Mezclador', 'ミキサー'), 'MX-201', 'Transmol', 'M 160'),
          plain(say('Coagulant pump', '混凝剂泵', 'Bomba de coagulante', '凝集剤ポンプ'), 'DP-202', 'Dosaqua', 'D 40'),
        ],
      ],
      ['Filters', 'FI-300', [filter(1), filter(2), filter(3)]],
      ['UV reactor', 'UV-400', [plain(say('Ballast cabinet', '镇流器柜', 'Armario de balastos', '安定器盤'), 'UV-401', 'Luzpura', 'B4')]],
      [
        'Chlorine dosing',
        'CL-500',
        [
          plain(say('Dosing pump', '计量泵', 'Bomba dosificadora', '薬注ポンプ'), 'DP-501', 'Dosaqua', 'D 20'),
          plain(say('Chlorine analyser', '余氯分析仪', 'Analizador de cloro', '残塩計'), 'AN-502', 'Analítica Sur', 'CL-2'),
        ],
      ],
    ],
  },
  {
    ...{ name: say('Delivery', '送水', 'Impulsión', '送水'), no: 'A-3' },
    devices: [
      ['High service pumps', 'PS-600', [pump(1, 'P-601', 'HB 200-400'), pump(2, 'P-602', 'HB 200-400'), pump(3, 'P-603', 'HB 200-400')]],
      ['Clear water tank', 'TK-650', []],
      ['Outlet and tower', 'TW-700', []],
      ['Delivery power meter', 'EM-710', []],
    ],
  },
  {
    ...{ name: say('Site', '厂区', 'Recinto', '構内'), no: 'A-4' },
    devices: [
      [
        'Cold room',
        'CR-800',
        [
          plain(say('Compressor', '压缩机', 'Compresor', '圧縮機'), 'CR-801', 'Friomar', 'FC 7'),
          plain(say('Door', '库门', 'Puerta', '扉'), 'CR-802'),
        ],
      ],
      ['Weather station', 'WS-900', []],
    ],
  },
]
/** Equipment without a gateway. */
const things: readonly Machine[] = [
  plain(say('Overhead crane', '桥式起重机', 'Puente grúa', '天井クレーン'), 'CN-910', 'Grúas Montseny', '3.2 t'),
  plain(say('Roof of the pump hall', '泵房屋面', 'Cubierta de la sala de bombas', 'ポンプ室屋根'), 'BD-920'),
  plain(say('Fire extinguisher, switch room', '配电室灭火器', 'Extintor, sala de cuadros', '電気室消火器'), 'FE-931'),
  plain(say('Fire extinguisher, chlorine room', '加氯间灭火器', 'Extintor, sala de cloro', '塩素室消火器'), 'FE-932'),
]

/** Skips devices that were removed or already have equipment. */
export const seedEquipment = async (db: Db, actor: Actor, { ProjectId, devices, language, now }: Company) => {
  const taken = new Set(
    (
      await db.rows<{ DeviceId: number }>(
        sql`select "DeviceId" from mtn_equipment where "EnterpriseId" = ${actor.EnterpriseId} and "DeviceId" is not null`,
      )
    ).map((r) => r.DeviceId),
  )
  let Sort = 0
  const year = new Date(now).getUTCFullYear()
  const add = (of: Partial<Machine> & { no: string }, ParentId: number | null, more: object = {}) =>
    store(mtnEquipment).create(db, actor, {
      ...{ EquipmentName: of.name?.[language] ?? of.no, EquipmentNo: of.no, ProjectId, ParentId, Sort: Sort++ },
      ...{ Criticality: of.criticality ?? 2, Maker: of.maker ?? null, Model: of.model ?? null },
      ...(of.maker && { SerialNo: `${of.no.replace('-', '')}-${year - 4}`, WarrantyUntil: `${year + 1}-03-31` }),
      ...more,
    })
  for (const area of areas) {
    const top = await add(area, null)
    for (const [device, no, machines] of area.devices) {
      const DeviceId = devices.get(device)
      if (!DeviceId || taken.has(DeviceId)) continue
      const row = await add({ no }, top.Id, { DeviceId, EquipmentName: device })
      for (const machine of machines) await add(machine, row.Id)
    }
    if (area.no === 'A-4') for (const thing of things) await add(thing, top.Id)
  }
}
